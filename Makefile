# The front end: each target is one command that also works on its own.
PRESET ?= release-clang
BENCH_ARGS ?=
JAVA_BENCH_ARGS ?=

.PHONY: help deps writable build build-bench build-java demo test lint format bench bench-java readme explore mutants fuzz \
  clean-room clean leveldb-soak leveldb-own-tests
EXPLORE_SCALE ?= 100
FUZZ_SECONDS ?= 3600

help:
	@echo "make deps     install the packages that are missing (Debian)"
	@echo "make build    configure and build PRESET, by default release-clang"
	@echo "make demo     build hotseat-bench and show the locks side by side; installs what is missing"
	@echo "make test     lint, then every build and test lane of CI"
	@echo "make lint     format, clang-tidy, layers, mirrors, snippets, numbers"
	@echo "make format   format all C++ files in place"
	@echo "make bench    build and run the benchmarks with BENCH_ARGS"
	@echo "make build-java  the Java library and its benchmark, for hotseat-bench java; needs a JDK 21"
	@echo "make bench-java  the same for the Java library, with JAVA_BENCH_ARGS; needs a JDK 21"
	@echo "make readme   measure again what the README shows, and rewrite it"
	@echo "make explore  run the model tests with EXPLORE_SCALE times their random schedules, by default 100"
	@echo "make mutants  weaken the library in every way we know: some model must notice"
	@echo "make fuzz     random bytes for the key-value server for FUZZ_SECONDS, by default an hour"
	@echo "make leveldb-soak       LevelDB under each lock, five minutes each"
	@echo "make leveldb-own-tests  LevelDB's own tests with each lock, from its source package"
	@echo "make clean-room  make demo and make test on a Debian that has nothing; needs root"
	@echo "make clean    remove build/"

deps: writable
	@tools/install_deps.sh

writable:
	@mkdir -p build 2>/dev/null && test -w build || { \
	  echo "make: cannot write to '$(CURDIR)/build'. Use a clone that is yours, or build elsewhere:" >&2; \
	  echo "      cmake -S '$(CURDIR)' -B <folder> && cmake --build <folder>" >&2; exit 1; }

# $(call require_room,MB): compilers report a full disk unclearly, some by crashing.
require_room = @free=$$(df -Pm build | awk 'NR == 2 {print $$4}'); used=$$(du -sm build | cut -f 1); \
  test $$((free + used)) -ge $(1) || { echo "make: the disk of '$(CURDIR)/build' has $$free MB left;" \
  "'make $@' writes up to $(1) MB there" >&2; exit 1; }

build: deps
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)

build-bench: deps
	cmake --preset release-clang
	cmake --build --preset release-clang --target bench/all

demo: writable
	$(call require_room,50)
	@tools/install_deps.sh demo
	cmake --preset demo
	cmake --build --preset demo
	bench/demo.sh

bench: build-bench
	bench/run.sh $(BENCH_ARGS)

readme: build-bench
	bench/update_readme.sh

build-java: deps
	cmake -S integrations/java -B build/java -G Ninja
	cmake --build build/java

bench-java: build-java
	integrations/java/bench.sh $(JAVA_BENCH_ARGS)

test: deps
	$(call require_room,2000)
	tools/test.sh

lint: deps
	tools/lint.sh

format: deps
	tools/format.sh

explore: deps
	cmake --preset release-clang
	cmake --build --preset release-clang
	HOTSEAT_EXPLORE_SCALE=$(EXPLORE_SCALE) ctest --preset release-clang --label-regex model \
	  --timeout 86400 --parallel $$(nproc)

mutants: build
	tools/mutants.py build/$(PRESET)

# Keeps what it finds interesting, so that the next run goes on from there.
fuzz: deps
	cmake --preset release-clang
	cmake --build --preset release-clang --target kv_fuzz
	mkdir -p build/fuzz
	build/release-clang/examples/kv_server/tests/kv_fuzz -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 \
	  -timeout=10 -max_len=1000 -dict=examples/kv_server/tests/resp_fuzz.dict -artifact_prefix=build/fuzz/ build/fuzz

# Five minutes for each lock.
leveldb-soak: build
	for lock in stock ttas mcs shfllock combining dispatch resume_inline exchange static; do \
	  build/$(PRESET)/integrations/leveldb/tests/leveldb_soak stress $$lock 300 || exit 1; done

leveldb-own-tests: deps
	integrations/leveldb/own_tests/fetch.sh build/leveldb
	cmake --preset $(PRESET) -DHOTSEAT_LEVELDB_SOURCE_DIR=$(CURDIR)/build/leveldb/source
	cmake --build --preset $(PRESET) --target leveldb_own_tests

clean-room:
	tools/clean_room.sh

clean:
	rm -rf build
