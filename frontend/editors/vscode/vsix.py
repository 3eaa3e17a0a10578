"""vsix.py [FILE.vsix]: packs this folder as an extension that VS Code installs. The same files give
the same bytes."""
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

folder = pathlib.Path(__file__).parent
FILES = ["package.json", "extension.js", "language-configuration.json", "README.md",
         "syntaxes/stn.tmLanguage.json"]

package = json.loads((folder / "package.json").read_text())
manifest = f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])}
              Publisher={quoteattr(package["publisher"])}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])}/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""
types = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""

made = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else f"{package['name']}-{package['version']}.vsix")
with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
    def add(name, text):
        entry = zipfile.ZipInfo(name)  # dated 1980: no file's time is in it
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, text)

    add("extension.vsixmanifest", manifest)
    add("[Content_Types].xml", types)
    for name in FILES:
        add(f"extension/{name}", (folder / name).read_bytes())
print(made)
