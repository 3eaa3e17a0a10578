// vscode.js EXTENSION.js STENCILC: the extension with the compiler, in an editor of the few parts that
// it uses, which stand here.
'use strict';
const assert = require('assert');
const Module = require('module');

const [, , extension, stencilc] = process.argv;
class Value { constructor(...parts) { this.parts = parts; } }
const Range = class {
  constructor(line, character, endLine, endCharacter) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }
};
const providers = {}, events = {}, shown = new Map(), errors = [];
const event = (name) => (listener) => { events[name] = listener; return { dispose() {} }; };
const document = {
  uri: { toString: () => 'file:///s.stn' }, languageId: 'stn', version: 1,
  getText: () => "stencil s(x) {\n  field f64 u;\n  boundary u: clamp;\n  u' = w[x-1];\n}\n",
};
const vscode = {
  Range, Hover: Value, MarkdownString: Value, TextEdit: Value, DocumentHighlight: Value, SemanticTokens: Value,
  SemanticTokensLegend: Value, DiagnosticRelatedInformation: Value,
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DocumentSymbol: class { constructor(name) { this.name = name; } },
  CompletionItem: class { constructor(label) { this.label = label; } },
  WorkspaceEdit: class { constructor() { this.edits = []; } set(uri, edits) { this.edits.push(...edits); } },
  Uri: { parse: (text) => text },
  languages: new Proxy({}, {
    get: (_, name) => name === 'createDiagnosticCollection'
      ? () => ({ set: (uri, found) => shown.set(uri, found), dispose() {} })
      : (selector, provider) => { providers[name] = provider; return { dispose() {} }; },
  }),
  workspace: {
    textDocuments: [document],
    getConfiguration: () => ({ get: () => vscode.program }),
    onDidOpenTextDocument: event('open'), onDidChangeTextDocument: event('change'), onDidCloseTextDocument: event('close'),
  },
  window: { showErrorMessage: (text) => errors.push(text) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

async function until(holds, what) {
  for (let turn = 0; turn < 1000 && !holds(); ++turn) await new Promise((resolve) => setTimeout(resolve, 10));
  assert(holds(), what);
}

async function main() {
  const { activate, deactivate } = require(extension);
  vscode.program = stencilc;
  await activate({ subscriptions: [] });
  const of = (name, method, ...rest) => providers[`register${name}Provider`][method](document, ...rest);
  const place = { line: 3, character: 7 };
  await until(() => (shown.get('file:///s.stn') || []).length === 1, 'a diagnostic');
  const [fault] = shown.get('file:///s.stn');
  assert.deepStrictEqual([fault.message, fault.severity, fault.range.start], ['`w` is not declared', 0, place]);
  document.version = 2;
  events.change({ document, contentChanges: [{ range: new Range(3, 7, 3, 8), text: 'u' }] });
  await until(() => shown.get('file:///s.stn').length === 0, 'none when it is mended');
  assert.match((await of('Hover', 'provideHover', place)).parts[0].parts[0], /1 point back along `x`/);
  assert.strictEqual((await of('Definition', 'provideDefinition', place)).range.start.line, 1);
  assert.strictEqual((await of('Reference', 'provideReferences', place, { includeDeclaration: true })).length, 4);
  assert.strictEqual((await of('DocumentHighlight', 'provideDocumentHighlights', place)).length, 4);
  assert.strictEqual((await of('Rename', 'prepareRename', place)).end.character, 8);
  assert.strictEqual((await of('Rename', 'provideRenameEdits', place, 'v')).edits.length, 4);
  await assert.rejects(of('Rename', 'provideRenameEdits', place, 'stage'), /word of the language/);
  await assert.rejects(of('Rename', 'prepareRename', { line: 4, character: 0 }), /no name/);
  assert((await of('CompletionItem', 'provideCompletionItems', place)).some((each) => each.label === 'sqrt'));
  assert.deepStrictEqual((await of('DocumentSymbol', 'provideDocumentSymbols'))[0].children.map((each) => each.name), ['u', "u'"]);
  assert.deepStrictEqual(await of('DocumentFormattingEdit', 'provideDocumentFormattingEdits'), []);
  assert.strictEqual((await of('DocumentSemanticTokens', 'provideDocumentSemanticTokens')).parts[0].length, 7 * 5);
  events.close(document);
  await deactivate();
  assert.deepStrictEqual(errors, []);
  vscode.program = '/nowhere/stencilc';
  await activate({ subscriptions: [] });
  await until(() => errors.length > 0, 'an error');
  assert.match(errors[0], /stencilc --lsp: .*ENOENT.*stencilc.path/);
  console.log('the editor and the compiler understand each other');
}
main().catch((error) => { console.log(error); process.exit(1); });
