// SPDX-License-Identifier: Apache-2.0
//
// recompress.js - do readers that are not ours find the same values after recompress?
//
// node recompress.js PROGRAM FOLDER [FILE...]: FOLDER is for what it makes.  The
// environment's PYTHON, if set, has pyarrow.  Prints TAP, and a summary.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { attempt, pyarrowCodecs, readers, runPyarrow } from './readers.js'
import { end, report, skip } from './tap.js'
import { writeFiles } from './writers.js'

// What a reader cannot read, whoever wrote it.
const limits = [
	// Of several Hadoop blocks it reads the next only where more bytes are left than this one had.
	{ reader: 'parquet-rs', codecs: ['LZ4'], error: /the offset to copy is not contained/,
		what: 'LZ4 pages of several blocks', sources: /^rs_bigstr_/ },
	// The block 00 is what every LZ4 encoder makes of 0 bytes.
	{ reader: 'hyparquet', codecs: ['LZ4', 'LZ4_RAW'], error: /lz4 offset out of range 0/,
		what: 'LZ4 pages of 0 bytes', sources: /^(rs_nulls|page_v2_empty)_/ },
]

const [program, folder, ...given] = process.argv.slice(2)
const python = process.env.PYTHON

function run(...words) {
	const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
	return { status, stdout, said: stderr.trim() }
}

// What differs between what a reader read before and after.
function differences(before, after, codec) {
	if (after.error) return [`${codec}: ${after.error}`]
	const names = new Set([...Object.keys(before.result), ...Object.keys(after.result)])
	return [...names].filter(name => before.result[name] !== after.result[name])
		.map(name => `${codec}, column ${name}: ${before.result[name]} became ${after.result[name]}`)
}

const built = run('--version').stdout.match(/^codecs: (.*)$/m)[1].replaceAll(/ \([^)]*\)/g, '')
	.split(' ').filter(name => !name.startsWith('ARROW_'))

// The source in every codec: { codec: path }.
function recompress(source) {
	const made = {}, faults = []
	for (const codec of built) {
		const path = `${folder}/${basename(source, '.parquet')}.${codec}.parquet`
		for (const words of [['recompress', source, path, '--codec', codec, '--verify', '--force'],
			['verify', path]]) {
			const { status, said } = run(...words)
			if (status !== 0) faults.push(`${words.join(' ')}: status ${status}: ${said}`)
		}
		made[codec] = path
	}
	report(faults, `${basename(source)}: recompress --verify and verify, ${built.length} codecs`)
	return made
}

async function compare(reader, source, made) {
	const name = `${basename(source)}: ${reader.name}`
	const codecs = reader.codecs.filter(codec => made[codec])
	const before = await attempt(reader.read, source)
	if (before.error) return skip(name, `it refuses the source: ${before.error}`)
	const faults = []
	for (const codec of codecs) {
		const after = await attempt(reader.read, made[codec])
		const limit = limits.find(({ reader: name, codecs, error, sources }) => name === reader.name &&
			codecs.includes(codec) && sources.test(basename(source)) && error.test(after.error ?? ''))
		if (limit) console.log(`# ${name}: left out ${codec}: it does not read ${limit.what}`)
		else faults.push(...differences(before, after, codec))
	}
	report(faults, `${name} finds the same ${Object.keys(before.result).length} columns in ${codecs.length} codecs`)
}

// All files of a source in one process, which is what takes time.
function comparePyarrow(sources) {
	const paths = sources.flatMap(({ source, made }) =>
		[source, ...pyarrowCodecs.filter(codec => made[codec]).map(codec => made[codec])])
	const lines = runPyarrow(['read'], paths.join('\n'))
	const found = new Map(paths.map((path, i) => [path, JSON.parse(lines[i])]))
	for (const { source, made } of sources) {
		const reader = { name: 'pyarrow', codecs: pyarrowCodecs, read: path => {
			if (found.get(path).error) throw new Error(found.get(path).error)
			return found.get(path).result
		} }
		compares.push(() => compare(reader, source, made))
	}
}

mkdirSync(folder, { recursive: true })
const compares = []
const paths = [...given, ...await writeFiles(folder), ...python ? runPyarrow(['write', folder]) : []]
// Some lie in two places.
const files = [...new Map(paths.map(path => [basename(path), path])).values()]
const sources = []
for (const source of files) {
	// Damaged ones are other tests' business.
	if (run('verify', source).status !== 0) {
		skip(basename(source), 'not sound, or of codecs not in this build')
		continue
	}
	const made = recompress(source)
	sources.push({ source, made })
	for (const reader of readers) await compare(reader, source, made)
}
if (python) comparePyarrow(sources)
else skip('pyarrow', 'not there')
for (const next of compares) await next()
end('recompress')
