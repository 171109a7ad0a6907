# What a contributor runs. Tools are pinned here and fetched by the go command; nothing else is needed but Go, and a C
# compiler for the race detector.
GOFUMPT     = go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
BENCHSTAT   = go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
COUNT      ?= 6
FUZZTIME   ?= 30s

.PHONY: help test check race fuzz golden bench portable gallery

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

test: ## run the tests
	go test ./...

check: ## formatting, vet, tidiness and static analysis
	@files=$$($(GOFUMPT) -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	if [ -n "$$files" ]; then echo "gofumpt would change:"; echo "$$files"; exit 1; fi
	go vet ./...
	go mod tidy -diff
	$(STATICCHECK) -checks all ./...

race: ## run the tests under the race detector
	go test -race ./...

fuzz: ## fuzz every fuzz target for FUZZTIME each
	@for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

golden: ## rewrite generated files and what the golden tests compare with; read the diff before committing it
	go test ./sim/rng ./sim/engine ./sim/metrics ./sim/scenario ./sim/report ./plots ./cmd/herdsim -update

bench: ## measure the speed: figures and their meaning are in docs/performance.md
	@go test -run '^$$' -bench . -benchtime 2x -count $(COUNT) ./sim/experiment | tee out-bench.txt
	@$(BENCHSTAT) out-bench.txt; rm -f out-bench.txt

portable: ## the same result on every build that this machine can run
	.ci/portable

gallery: ## draw the pictures of every shipped scenario into out/
	go run ./cmd/herdsim run scenarios --plots out -q >/dev/null
