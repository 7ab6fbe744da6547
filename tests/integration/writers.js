// SPDX-License-Identifier: Apache-2.0
//
// writers.js - source files by writers that are not ours
//
// Several row groups and pages, every codec that the writer has, data pages V1 and V2,
// bloom filters (DuckDB) and page indexes (parquet-rs).
import { existsSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import { Compression, EnabledStatistics, Table, WriterPropertiesBuilder, WriterVersion,
	writeParquet } from 'parquet-wasm'

const comment = "repeat(chr(97 + (i * 7 % 26)::INT), (i % 40)::INT) || ' ' || md5(i::VARCHAR)"

// 22 columns, as in a table of sales.
export const line = rows => `SELECT i AS id, i // 4 AS orders, (i * 7919) % 20000 AS part,
	(i * 104729) % 1000 AS supplier, (i % 7 + 1)::INT AS number,
	(i % 50)::DECIMAL(15, 2) AS quantity, (i * 37 % 100000 / 100)::DECIMAL(15, 2) AS price,
	(i % 11 / 100)::DECIMAL(4, 2) AS discount, sin(i) AS wave, (i % 9)::FLOAT / 8 AS eighths,
	['A', 'N', 'R'][(i % 3)::INT + 1] AS flag, i % 2 = 0 AS is_even,
	DATE '1992-01-01' + (i % 2500)::INT AS shipped,
	TIMESTAMP '2020-01-01' + INTERVAL (i) MINUTE AS at,
	TIME '00:00:00' + INTERVAL (i % 86400) SECOND AS hour,
	['AIR', 'MAIL', 'RAIL', 'SHIP', 'TRUCK'][(i % 5)::INT + 1] AS mode,
	CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS gaps, (i % 128)::TINYINT AS small,
	i::HUGEINT * 1000003 AS large, md5(i::VARCHAR)::BLOB AS hash,
	uuid(i) AS uuid, ${comment} AS comment FROM range(${rows}) t(i)`
	// the same each time, unlike gen_random_uuid()
	.replace('uuid(i)', "(md5('u' || i::VARCHAR))::UUID")

const nest = `SELECT i AS id, CASE WHEN i % 5 = 0 THEN NULL ELSE range(i % 6) END AS list,
	{'a': i, 'b': CASE WHEN i % 4 = 0 THEN NULL ELSE 'x' || i END} AS struct,
	[[i], [], [i, NULL]] AS lists, MAP {'k' || i % 3: i, 'l': NULL} AS map
	FROM range(3000) t(i)`
const nulls = 'SELECT NULL::INT AS none, CASE WHEN i = 900 THEN i END AS one FROM range(1000) t(i)'
const wide = `SELECT ${Array.from({ length: 1500 }, (_, i) => `i + ${i} AS c${i}`).join(', ')}
	FROM range(3) t(i)`
const empty = `${line(5)} LIMIT 0`

async function duckdb(folder) {
	const connection = await (await DuckDBInstance.create(':memory:')).connect()
	const files = []
	const copy = async (query, name, options) => {
		const path = `${folder}/duckdb_${name}.parquet`
		if (!existsSync(path))
			await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, ${options})`)
		files.push(path)
	}
	const codecs = ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw']
	for (const [i, codec] of codecs.entries())
		await copy(line(5000), `line_${codec}_V${i % 2 + 1}`, `COMPRESSION ${codec},
			PARQUET_VERSION V${i % 2 + 1}, ROW_GROUP_SIZE 2048`)
	await copy(line(5000), 'line_snappy_V1', 'COMPRESSION snappy, ROW_GROUP_SIZE 2048')
	await copy(nest, 'nest_zstd_V2', 'COMPRESSION zstd, PARQUET_VERSION V2, ROW_GROUP_SIZE 2048')
	await copy(nulls, 'nulls_snappy_V2', 'COMPRESSION snappy, PARQUET_VERSION V2')
	await copy(wide, 'wide_gzip_V1', 'COMPRESSION gzip')
	await copy(empty, 'empty_zstd_V2', 'COMPRESSION zstd, PARQUET_VERSION V2')
	return [...new Set(files)]
}

function arrowTable(rows) {
	const array = make => Array.from({ length: rows }, (_, i) => make(i))
	return tableFromArrays({
		id: BigInt64Array.from(array(i => BigInt(i))),
		step: Int32Array.from(array(i => Math.floor(i / 9))),
		wave: Float64Array.from(array(i => Math.sin(i))),
		word: array(i => ['snappy', 'gzip', 'zstd'][i % 3]),
		gaps: array(i => i % 7 ? `value ${i}` : null),
		flag: array(i => i % 5 === 0),
	})
}

function parquetRs(folder) {
	const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW']
	const ipc = tableToIPC(arrowTable(6000), 'stream')
	return codecs.map((codec, i) => {
		const path = `${folder}/rs_pages_${codec}_V${i % 2 + 1}.parquet`
		const properties = new WriterPropertiesBuilder()
			.setCompression(Compression[codec])
			.setWriterVersion(i % 2 ? WriterVersion.V2 : WriterVersion.V1)
			.setStatisticsEnabled(EnabledStatistics.Page)
			.setMaxRowGroupSize(2500).setWriteBatchSize(256).setDataPageSizeLimit(2000)
			.setKeyValueMetadata(new Map([['origin', 'interop']]))
			.build()
		if (!existsSync(path)) writeFileSync(path, writeParquet(Table.fromIPCStream(ipc), properties))
		return path
	})
}

export async function writeFiles(folder) {
	return [...await duckdb(folder), ...parquetRs(folder)]
}

// For measuring by hand: "node writers.js FILE" makes a file of about 60 MB.
if (process.argv[1]?.endsWith('/writers.js')) {
	const connection = await (await DuckDBInstance.create(':memory:')).connect()
	await connection.run(`COPY (${line(600000)}) TO '${process.argv[2]}' (FORMAT parquet)`)
}
