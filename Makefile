# Thin aliases; scripts/bootstrap.py does the work.
PYTHON ?= python3

.PHONY: night test check
night:
	$(PYTHON) scripts/bootstrap.py night
test:
	$(PYTHON) scripts/bootstrap.py test
check:
	bash .ci/run
