// SPDX-License-Identifier: Apache-2.0
//
// tap.js - a line for each test, and a summary as automake's
const counts = { PASS: 0, SKIP: 0, FAIL: 0 }

function line(result, text) {
	counts[result]++
	const number = counts.PASS + counts.SKIP + counts.FAIL
	console.log(`${result === 'FAIL' ? 'not ok' : 'ok'} ${number} - ${text}`)
}

export function report(faults, name) {
	line(faults.length ? 'FAIL' : 'PASS', name)
	for (const fault of faults.slice(0, 5)) console.log(`# ${fault}`)
}

export function skip(name, reason) {
	line('SKIP', `${name} # SKIP ${reason}`)
}

// The last call.
export function end(suite) {
	console.log(`1..${counts.PASS + counts.SKIP + counts.FAIL}`)
	console.log(`Testsuite summary for ${suite}`)
	for (const [result, count] of Object.entries(counts)) console.log(`# ${result}: ${count}`)
	console.log('# ERROR: 0')
	process.exit(counts.FAIL ? 1 : 0)
}
