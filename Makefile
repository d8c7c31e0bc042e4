# make run: the product with the demo company.  make test: every check that CI runs.
# A Python is found here; everything else is in bootstrap.py.
.PHONY: run test setup

run test setup:
	@for python in python3 python3.13 python3.12 python3.11 python; do \
		if $$python -c '' 2>/dev/null; then exec $$python bootstrap.py $@ $(ARGS); fi; \
	done; \
	echo "Python 3.11 or newer is needed, and none was found. Install one (python.org, or your system's packages) and run again." >&2; \
	exit 1
