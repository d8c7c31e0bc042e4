.PHONY: run test check
