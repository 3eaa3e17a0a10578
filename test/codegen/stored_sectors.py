"""stored_sectors.py SECTORS: whether a report on standard input counts so many that are stored."""
import json
import sys

stored = sum(array["sectors"] for launch in json.load(sys.stdin)["counted"]["launches"]
             for array in launch["arrays"] if array["access"] == "store")
if stored != int(sys.argv[1]):
    sys.exit(f"{stored} sectors are stored, not {sys.argv[1]}")
