// SPDX-License-Identifier: Apache-2.0
//
// table.js - the values that table.c fills the pages of write_parquet with
const words = ['', 'page', 'dictionary', 'größe', 'a']

function id(row) {
	if (Math.floor(row / 1000) % 2) return BigInt.asIntN(64, BigInt(row) * 0x9e3779b97f4a7c15n)
	return BigInt(row * 7 - 3)
}

function word(row) {
	return Math.floor(row / 1000) % 3 === 2 || row % 5 === 0 ? null : words[row % 7 % 5]
}

const rows = Array.from({ length: 6000 }, (_, row) => row)
export const table = { id: rows.map(id), word: rows.map(word) }
