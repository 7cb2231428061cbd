// The user commands and :help, as Neovim sees them.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startNeovim } from '../../support/neovim.ts'
import { copyPlugin } from './installation.ts'

test('each command has a body, a description and a help tag', async () => {
  const folder = await copyPlugin() // :helptags writes into it
  const nvim = await startNeovim({ plugin: false, init: `vim.opt.runtimepath:prepend(${JSON.stringify(folder)})` })
  const commands = await nvim.lua<{ name: string; body: string; definition: string; tags: string[] }[]>(
    `
    vim.cmd.helptags(... .. '/doc')
    return vim.tbl_map(function(name)
      return {
        name = name,
        body = type(require('claudecode.commands')[name]),
        definition = vim.api.nvim_get_commands({})[name].definition,
        tags = vim.fn.getcompletion(':' .. name, 'help'),
      }
    end, vim.fn.getcompletion('ClaudeCode', 'command'))`,
    folder,
  )
  expect(commands.length).toBeGreaterThan(7)
  expect(commands.filter(({ body }) => body !== 'function')).toEqual([])
  expect(commands.filter(({ definition }) => definition === '')).toEqual([])
  expect(commands.filter(({ name, tags }) => !tags.includes(`:${name}`)).map(({ name }) => name)).toEqual([])
})

test(':helptags finds no tag twice, and :help has all that the text refers to', async () => {
  const folder = await copyPlugin()
  const nvim = await startNeovim({ plugin: false, init: `vim.opt.runtimepath:prepend(${JSON.stringify(folder)})` })
  await nvim.request('nvim_command', [`helptags ${folder}/doc`]) // E154 for a tag that is there twice
  const text = await readFile(path.join(folder, 'doc', 'claudecode.txt'), 'utf8')
  const references = new Set([...text.matchAll(/\|([^|\s]+)\|/g)].map(match => match[1] as string))
  const missing: string[] = []
  for (const name of references)
    if (!(await nvim.lua<boolean>('return pcall(vim.cmd.help, ...)', name))) missing.push(name)
  expect(missing).toEqual([])
})
