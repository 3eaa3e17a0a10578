-- What stencilc --lsp does for Neovim: run by neovim.py with STENCILC and STENCIL set.
local function run()
  vim.cmd("edit " .. vim.env.STENCIL)
  assert(vim.bo.filetype == "stn", "the type of the file is " .. vim.bo.filetype)
  local client = vim.lsp.start_client({ name = "stencilc", cmd = { vim.env.STENCILC, "--lsp" } })
  assert(client, "the server starts")
  vim.lsp.buf_attach_client(0, client)
  assert(vim.wait(20000, function() return vim.lsp.buf.server_ready() end), "the server is ready")

  local function wait_for_diagnostics(count)
    return vim.wait(20000, function() return #vim.diagnostic.get(0) == count end)
  end
  local function ask(method, line, character, more)
    local params = vim.tbl_extend("force", {
      textDocument = vim.lsp.util.make_text_document_params(0),
      position = { line = line, character = character },
    }, more or {})
    local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, 20000)
    assert(answers and answers[client] and not answers[client].error, method)
    return answers[client].result
  end

  -- stencil s(x) {
  --   field f64 u;
  --   boundary u: clamp;
  --   u' = w[x-1];
  -- }
  assert(wait_for_diagnostics(1), "one diagnostic")
  assert(vim.diagnostic.get(0)[1].message:find("`w` is not declared", 1, true), "of the name")
  vim.api.nvim_buf_set_text(0, 3, 7, 3, 8, { "u" })
  assert(wait_for_diagnostics(0), "none when it is mended")
  assert(ask("hover", 3, 7).contents.value:find("1 point back along `x`", 1, true), "what is hovered")
  assert(ask("definition", 3, 7).range.start.line == 1, "where it is defined")
  local edit = ask("rename", 3, 7, { newName = "heat" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  assert(lines[2] == "  field f64 heat;", lines[2])
  assert(lines[4] == "  heat' = heat[x-1];", lines[4])
  assert(vim.fn.synIDattr(vim.fn.synID(2, 3, 1), "name") == "stnItem", "the colour of a keyword")
  print("diagnostics, hover, definition and rename")
  vim.lsp.stop_client(client)
end

local held, fault = pcall(run)
if not held then
  print(fault)
  vim.cmd("cquit")
end
vim.cmd("qall!")
