// SPDX-License-Identifier: Apache-2.0
//
// readers.js - a file's values by readers that are not ours, a hash for each column
//
// A hash is that of each row's number and its value as text, in order.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { readParquet } from 'parquet-wasm'

// Different values must have different texts, whatever classes a reader uses for them.
function text(value) {
	if (value === null || value === undefined) return 'null'
	if (typeof value === 'bigint') return `${value}n`
	if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
	if (typeof value === 'string') return JSON.stringify(value)
	if (typeof value !== 'object') return String(value)
	if (value instanceof Date) return `date ${value.getTime()}`
	if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
	const list = typeof value[Symbol.iterator] === 'function' ? [...value] : Object.entries(value)
	return `[${list.map(text).join(',')}]`
}

class Hashes {
	constructor(names) {
		this.columns = names.map(name => ({ name, rows: 0, hash: createHash('sha256') }))
	}

	add(column, value) {
		const { hash, rows } = this.columns[column]
		hash.update(`${rows}:${text(value)}\n`)
		this.columns[column].rows++
	}

	// { "0 id": "2100 rows, ab12..." }
	result() {
		return Object.fromEntries(this.columns.map(({ name, rows, hash }, i) =>
			[`${i} ${name}`, `${rows} rows, ${hash.digest('hex')}`]))
	}
}

// As a reader's result, of columns that are known: { id: values }.
export function hashesOf(columns) {
	const hashes = new Hashes(Object.keys(columns))
	Object.values(columns).forEach((values, i) => values.forEach(value => hashes.add(i, value)))
	return hashes.result()
}

const sql = string => `'${string.replaceAll("'", "''")}'`
let connection

async function duckdb(path) {
	if (!connection) {
		connection = await (await DuckDBInstance.create(':memory:')).connect()
		await connection.run('SET threads=1')
	}
	const read = await connection.runAndReadAll(`SELECT * FROM read_parquet(${sql(path)})`)
	const hashes = new Hashes(read.columnNames())
	const columns = read.getColumns()
	columns.forEach((values, i) => values.forEach(value => hashes.add(i, value)))
	const result = hashes.result()
	const blooms = await connection.runAndReadAll(`SELECT DISTINCT column_id, path_in_schema
		FROM parquet_metadata(${sql(path)}) WHERE bloom_filter_offset IS NOT NULL
		ORDER BY column_id LIMIT 3`)
	// What is in and what is not, by each row group's bloom filter.
	for (const [, name] of blooms.getRows()) {
		const column = read.columnNames().indexOf(name)
		if (column < 0 || columns[column].length === 0) continue
		const probes = []
		for (const value of [columns[column][0], typeof columns[column][0] === 'string' ? '#' : 99]) {
			if (!['string', 'number', 'bigint'].includes(typeof value)) continue
			const literal = typeof value === 'string' ? sql(value) : String(value)
			const probe = await connection.runAndReadAll(
				`SELECT * EXCLUDE file_name FROM parquet_bloom_probe(${sql(path)}, ${sql(name)}, ${literal})`)
			probes.push(text(probe.getRows()))
		}
		result[`bloom filter of ${name}`] = probes.join(' ')
	}
	return result
}

async function parquetRs(path) {
	const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream())
	const hashes = new Hashes(table.schema.fields.map(field => field.name))
	table.schema.fields.forEach((_, i) => {
		for (const value of table.getChildAt(i)) hashes.add(i, value)
	})
	return hashes.result()
}

// Some rows by the offset indexes, and some by all indexes and bloom filters.
async function byIndexes(file, metadata, rows, names) {
	const part = []
	await parquetRead({ file, metadata, compressors, useOffsetIndex: true,
		rowStart: Math.floor(rows.length / 3), rowEnd: Math.ceil(rows.length / 2),
		onComplete: found => part.push(...found) })
	if (text(part) !== text(rows.slice(Math.floor(rows.length / 3), Math.ceil(rows.length / 2))))
		throw new Error('the offset index leads to other rows')
	const middle = rows[Math.floor(rows.length / 2)] ?? []
	const column = middle.findIndex(value => ['number', 'bigint', 'string'].includes(typeof value))
	if (column < 0 || names[column].includes('.')) return
	let found
	await parquetRead({ file, metadata, compressors, rowFormat: 'object', usePageIndex: true,
		useBloomFilters: true, useOffsetIndex: true,
		filter: { [names[column]]: { $eq: middle[column] } },
		onComplete: rows => { found = rows } })
	const wanted = rows.filter(row => row[column] === middle[column])
	if (text(found.map(row => names.map(name => row[name]))) !== text(wanted))
		throw new Error('the indexes lead to other rows')
}

async function hyparquet(path) {
	const bytes = readFileSync(path)
	const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
	const metadata = parquetMetadata(file)
	const names = metadata.schema[0].num_children
		? [...topLevel(metadata.schema)].map(element => element.name) : []
	const hashes = new Hashes(names)
	let rows
	await parquetRead({ file, metadata, compressors, onComplete: read => { rows = read } })
	for (const row of rows) row.forEach((value, i) => hashes.add(i, value))
	await byIndexes(file, metadata, rows, names)
	return hashes.result()
}

function* topLevel(schema) {
	let at = 1
	const skip = () => {
		let children = schema[at++].num_children ?? 0
		while (children-- > 0) skip()
	}
	while (at < schema.length) {
		yield schema[at]
		skip()
	}
}

const all = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4_RAW']

// pyarrow's turn comes at the end, in one process: see interop.js.
export const readers = [
	{ name: 'DuckDB', codecs: all, read: duckdb },
	{ name: 'parquet-rs', codecs: [...all, 'LZ4'], read: parquetRs },
	{ name: 'hyparquet', codecs: [...all, 'LZ4'], read: hyparquet },
]
export const pyarrowCodecs = [...all, 'LZ4']

// Lines that pyarrow_files.py prints.
export function runPyarrow(words, input) {
	const { status, stdout, stderr } = spawnSync(process.env.PYTHON, ['pyarrow_files.py', ...words],
		{ encoding: 'utf8', input, maxBuffer: 1 << 30 })
	if (status !== 0) throw new Error(`pyarrow_files.py: ${stderr}`)
	return stdout.split('\n').filter(line => line)
}

export async function attempt(read, path) {
	try {
		return { result: await read(path) }
	} catch (error) {
		return { error: String(error.message ?? error).split('\n')[0] }
	}
}
