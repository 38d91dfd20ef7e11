// hotseat/asio/detail/asio.hpp — which Asio: the standalone one, or Boost's with
// HOTSEAT_ASIO_BOOST.
#pragma once

#if defined(HOTSEAT_ASIO_BOOST)
#include <boost/asio.hpp>
#include <boost/version.hpp>
#if BOOST_VERSION < 108100
#error "hotseat::asio needs Boost 1.81 or newer"
#endif
#else
#include <asio.hpp>
#if ASIO_VERSION < 102200
#error "hotseat::asio needs Asio 1.22 or newer"
#endif
#endif

namespace hotseat::asio {

#if defined(HOTSEAT_ASIO_BOOST)
namespace net = ::boost::asio;
using error_code = ::boost::system::error_code;
using system_error = ::boost::system::system_error;
#else
namespace net = ::asio;
using error_code = ::asio::error_code;
using system_error = ::asio::system_error;
#endif

}  // namespace hotseat::asio
