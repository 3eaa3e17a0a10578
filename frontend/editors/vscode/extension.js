// The VS Code side of `stencilc --lsp`: starts it, passes texts on, and hands its answers to the
// editor. No library stands between, so that the extension is these few files.
'use strict';
const { spawn } = require('child_process');
const path = require('path');
const vscode = require('vscode');

/** Requests and notifications over a process's standard input and output. */
class Connection {
  constructor(process, onNotification) {
    this.process = process;
    this.onNotification = onNotification;
    this.waiting = new Map();
    this.number = 0;
    this.buffer = Buffer.alloc(0);
    process.stdin.on('error', () => {}); // a server that ended: see 'exit'
    process.stdout.on('data', (data) => this.take(data));
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  tell(method, params) {
    this.send({ method, params });
  }

  ask(method, params) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  take(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const end = this.buffer.indexOf('\r\n\r\n');
      const found = end >= 0 && /content-length: *(\d+)/i.exec(this.buffer.toString('latin1', 0, end));
      if (!found || this.buffer.length < end + 4 + Number(found[1])) return;
      const next = end + 4 + Number(found[1]);
      const message = JSON.parse(this.buffer.toString('utf8', end + 4, next));
      this.buffer = this.buffer.subarray(next);
      this.dispatch(message);
    }
  }

  dispatch(message) {
    if (message.method) {
      this.onNotification(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (waiting && message.error) waiting.reject(new Error(message.error.message));
    else if (waiting) waiting.resolve(message.result);
  }

  /** Nothing is answered any more. */
  end() {
    for (const { reject } of this.waiting.values()) reject(new Error('stencilc has ended'));
    this.waiting.clear();
  }
}

// ---- the protocol's values as the editor's, and back

const toRange = (range) => new vscode.Range(range.start.line, range.start.character,
  range.end.line, range.end.character);
const fromRange = (range) => ({
  start: { line: range.start.line, character: range.start.character },
  end: { line: range.end.line, character: range.end.character },
});
const toLocation = (place) => new vscode.Location(vscode.Uri.parse(place.uri), toRange(place.range));
const toEdits = (edits) => (edits || []).map((edit) => new vscode.TextEdit(toRange(edit.range), edit.newText));

function toDiagnostic(each) {
  // Severities count from 1 there and from 0 here.
  const result = new vscode.Diagnostic(toRange(each.range), each.message, each.severity - 1);
  result.code = each.code;
  result.source = each.source;
  result.relatedInformation = (each.relatedInformation || []).map((note) =>
    new vscode.DiagnosticRelatedInformation(toLocation(note.location), note.message));
  return result;
}

function toSymbol(each) {
  const result = new vscode.DocumentSymbol(each.name, '', each.kind - 1, toRange(each.range),
    toRange(each.selectionRange));
  result.children = (each.children || []).map(toSymbol);
  return result;
}

function toProposal(each) {
  const result = new vscode.CompletionItem(each.label, each.kind - 1);
  result.detail = each.detail;
  result.documentation = each.documentation;
  return result;
}

const inDocument = (document) => ({ textDocument: { uri: document.uri.toString() } });
const atPosition = (document, position) => ({
  ...inDocument(document),
  position: { line: position.line, character: position.character },
});

// ---- what the editor asks

function register(connection, legend) {
  const { languages } = vscode;
  const stencils = { language: 'stn' };
  const ask = (name, params) => connection.ask(`textDocument/${name}`, params);
  return [
    languages.registerHoverProvider(stencils, {
      async provideHover(document, position) {
        const found = await ask('hover', atPosition(document, position));
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value), toRange(found.range));
      },
    }),
    languages.registerDefinitionProvider(stencils, {
      async provideDefinition(document, position) {
        const found = await ask('definition', atPosition(document, position));
        return found && toLocation(found);
      },
    }),
    languages.registerReferenceProvider(stencils, {
      async provideReferences(document, position, context) {
        const found = await ask('references', { ...atPosition(document, position), context });
        return found.map(toLocation);
      },
    }),
    languages.registerDocumentHighlightProvider(stencils, {
      async provideDocumentHighlights(document, position) {
        const found = await ask('documentHighlight', atPosition(document, position));
        return found.map((each) => new vscode.DocumentHighlight(toRange(each.range)));
      },
    }),
    languages.registerRenameProvider(stencils, {
      async prepareRename(document, position) {
        const found = await ask('prepareRename', atPosition(document, position));
        if (!found) throw new Error('there is no name of the stencil here');
        return toRange(found);
      },
      async provideRenameEdits(document, position, newName) {
        const { changes } = await ask('rename', { ...atPosition(document, position), newName });
        const result = new vscode.WorkspaceEdit();
        for (const [uri, edits] of Object.entries(changes)) result.set(vscode.Uri.parse(uri), toEdits(edits));
        return result;
      },
    }),
    languages.registerCompletionItemProvider(stencils, {
      async provideCompletionItems(document, position) {
        return (await ask('completion', atPosition(document, position))).map(toProposal);
      },
    }, '[', ':'),
    languages.registerDocumentSymbolProvider(stencils, {
      async provideDocumentSymbols(document) {
        return (await ask('documentSymbol', inDocument(document))).map(toSymbol);
      },
    }),
    languages.registerDocumentFormattingEditProvider(stencils, {
      async provideDocumentFormattingEdits(document) {
        return toEdits(await ask('formatting', inDocument(document)));
      },
    }),
    languages.registerDocumentSemanticTokensProvider(stencils, {
      async provideDocumentSemanticTokens(document) {
        const { data } = await ask('semanticTokens/full', inDocument(document));
        return new vscode.SemanticTokens(new Uint32Array(data));
      },
    }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)),
  ];
}

// ---- texts

function follow(connection) {
  const { workspace } = vscode;
  const isStencil = (document) => document.languageId === 'stn';
  const open = (document) => isStencil(document) && connection.tell('textDocument/didOpen', {
    textDocument: {
      uri: document.uri.toString(), languageId: 'stn', version: document.version, text: document.getText(),
    },
  });
  workspace.textDocuments.forEach(open);
  return [
    workspace.onDidOpenTextDocument(open),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => isStencil(document)
      && connection.tell('textDocument/didChange', {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: contentChanges.map((each) => ({ range: fromRange(each.range), text: each.text })),
      })),
    workspace.onDidCloseTextDocument((document) => isStencil(document)
      && connection.tell('textDocument/didClose', inDocument(document))),
  ];
}

let server;

async function activate(context) {
  const program = vscode.workspace.getConfiguration('stencilc').get('path') || 'stencilc';
  const shown = vscode.languages.createDiagnosticCollection('stencilc');
  const child = spawn(program, ['--lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = new Connection(child, (method, params) => {
    if (method === 'textDocument/publishDiagnostics')
      shown.set(vscode.Uri.parse(params.uri), params.diagnostics.map(toDiagnostic));
  });
  server = { child, connection };
  const failed = (reason) => {
    connection.end();
    if (server && server.child === child)
      vscode.window.showErrorMessage(`${path.basename(program)} --lsp: ${reason}; see the setting stencilc.path`);
  };
  child.on('error', (error) => failed(error.message));
  child.on('exit', (code) => failed(`it has ended with ${code}`));
  context.subscriptions.push(shown);
  try {
    const { capabilities } = await connection.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    connection.tell('initialized', {});
    context.subscriptions.push(...register(connection, capabilities.semanticTokensProvider.legend), ...follow(connection));
  } catch {
    // It never came up, which was shown.
  }
}

async function deactivate() {
  const { connection, child } = server || {};
  server = undefined;
  if (!connection || child.exitCode !== null) return;
  await connection.ask('shutdown', null);
  connection.tell('exit', null);
}

module.exports = { activate, deactivate };
