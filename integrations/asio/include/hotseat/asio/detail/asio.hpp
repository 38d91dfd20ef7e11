// hotseat/asio/detail/asio.hpp — which Asio: the standalone one, or Boost's with
// HOTSEAT_ASIO_BOOST.
#pragma once

#if defined(HOTSEAT_ASIO_BOOST)
#include <boost/asio.hpp>
#else
#include <asio.hpp>
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
