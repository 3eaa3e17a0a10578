"""validate.py SCHEMA [FILE...]: every file (or standard input) is JSON that the schema allows.

It knows the part of JSON Schema 2020-12 that our schema uses, and refuses a schema with more.
"""
import json
import pathlib
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "required",
         "properties", "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"}


def is_a(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(value, schema, root, place="$"):
    """What is wrong with the value, a line each."""
    if isinstance(schema, bool):
        return [] if schema else [f"{place}: is not described"]
    assert not set(schema) - KNOWN, f"the schema uses {set(schema) - KNOWN}"
    found = []
    if "$ref" in schema:
        assert schema["$ref"].startswith("#/$defs/"), schema["$ref"]
        found += faults(value, root["$defs"][schema["$ref"][len("#/$defs/"):]], root, place)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_a(value, name) for name in types):
        return found + [f"{place}: {json.dumps(value)[:40]} is no {' or '.join(types)}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{place}: {value!r} is not {schema['const']!r}")
    if is_a(value, "number"):
        # Also refuses NaN, with which no comparison holds.
        if "minimum" in schema and not value >= schema["minimum"]:
            found.append(f"{place}: {value} is below {schema['minimum']}")
        if "maximum" in schema and not value <= schema["maximum"]:
            found.append(f"{place}: {value} is above {schema['maximum']}")
    if isinstance(value, dict):
        found += [f"{place}: lacks {key}" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            found += faults(item, inner, root, f"{place}.{key}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{place}: has {len(value)} items")
        for index, item in enumerate(value):
            found += faults(item, schema.get("items", True), root, f"{place}[{index}]")
    return found


if __name__ == "__main__":
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    texts = [pathlib.Path(name).read_text() for name in sys.argv[2:]] or [sys.stdin.read()]
    lines = [line for text in texts for line in faults(json.loads(text), schema, schema)]
    sys.exit("\n".join(lines) or 0)
