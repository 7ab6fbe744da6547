// SPDX-License-Identifier: Apache-2.0
//
// written.js - do readers that are not ours find the values that write_parquet wrote?
//
// node written.js PROGRAM WRITER FOLDER: WRITER is write_parquet, FOLDER for its files.
// The environment's PYTHON, if set, has pyarrow.  Prints TAP, and a summary.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { attempt, hashesOf, readers, runPyarrow } from './readers.js'
import { table } from './table.js'
import { end, report, skip } from './tap.js'

// What a reader has no codec for, and what it says then.
const unread = [
	{ reader: 'DuckDB', codecs: ['LZO', 'LZ4'], error: /Unsupported compression codec "LZ/ },
	{ reader: 'parquet-rs', codecs: ['LZO'], error: /codec type LZO is not supported/ },
	{ reader: 'hyparquet', codecs: ['LZO'], error: /unsupported compression codec: LZO/ },
	{ reader: 'pyarrow', codecs: ['LZO'], error: /LZO .* currently not supported/ },
]

function run(program, words) {
	const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
	if (status !== 0) throw new Error(`${program}: status ${status}: ${stderr}`)
	return stdout
}

function check(reader, path, { result, error }) {
	const codec = basename(path).split(/_(?!RAW)/)[0]
	const row = unread.find(row => row.reader === reader && row.codecs.includes(codec))
	const name = `${basename(path)}: ${reader}`
	if (row) {
		report(row.error.test(error ?? '') ? [] : [`it says ${error}`], `${name} has no ${codec}`)
		return
	}
	const wanted = hashesOf(table)
	const faults = error ? [error] : Object.keys(wanted)
		.filter(name => reader !== 'pyarrow' && result[name] !== wanted[name])
		.map(name => `column ${name}: ${result[name]}, not ${wanted[name]}`)
	report(faults, `${name} finds what was written`)
}

const [program, writer, folder] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const paths = run(writer, [folder]).split('\n').filter(line => line)
run(program, ['verify', ...paths])
for (const path of paths)
	for (const reader of readers) check(reader.name, path, await attempt(reader.read, path))
// It compares the values itself.
if (process.env.PYTHON)
	runPyarrow(['compare'], paths.join('\n'))
		.forEach((line, i) => check('pyarrow', paths[i], JSON.parse(line)))
else skip('pyarrow', 'not there')
end('written')
