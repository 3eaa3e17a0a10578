"""vsix.py FILE.vsix STENCILC: every file that the package names is in it, and its version is that of
stencilc."""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile

archive = zipfile.ZipFile(sys.argv[1])
names = set(archive.namelist())
package = json.loads(archive.read("extension/package.json"))
contributed = package["contributes"]
wanted = [package["main"], contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"]]
for path in wanted:
    assert "extension/" + path.removeprefix("./") in names, path
manifest = ET.fromstring(archive.read("extension.vsixmanifest"))
assets = [asset.get("Path") for asset in manifest.iter() if asset.tag.endswith("Asset")]
assert assets and set(assets) <= names, assets
types = ET.fromstring(archive.read("[Content_Types].xml"))
known = {each.get("Extension") for each in types}
for name in names - {"[Content_Types].xml"}:
    assert "." + name.rsplit(".", 1)[1] in known, name
version = subprocess.run([sys.argv[2], "--version"], capture_output=True, text=True).stdout.split()[1]
assert re.fullmatch(re.escape(version) + r"\.\d+", package["version"]), (version, package["version"])
print(f"extension {package['version']}, {len(names)} files")
