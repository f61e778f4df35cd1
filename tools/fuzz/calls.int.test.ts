import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { createAdministrator, createChat, createStaff } from '../../server/test/support/people.ts';
import { noopMetrics } from '../../server/testing/rules.ts';
import { openApi } from '../api/openapi.ts';
import { fullSize, seedOr } from '../fullSize.ts';
import { pythonProgram } from '../programs.ts';

const MINUTE = 60_000;
/** The coverage phase has a case for each limit of each field. The other phase draws random cases, 60 for each call. */
const PHASES = fullSize('coverage', 'coverage,fuzzing');
const CASES = 60;
/** Of all callers together. */
const CASES_MIN = fullSize(100, 20_000);
/** CI tries the calls that read and write messages. */
const PATHS = fullSize('^/conversations/[^/]+/messages', '');

const folder = mkdtempSync(join(tmpdir(), 'settee-fuzz-'));
let server: TestServer;
beforeAll(async () => {
  // Its own object, because files share one process.
  server = await startTestServer({ metrics: { ...noopMetrics } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The description, with ids that exist, so that the cases reach more than "not found". */
function describeCalls(ids: string[]): string {
  const api = structuredClone(openApi()) as { paths: Record<string, Record<string, Operation>> };
  for (const methods of Object.values(api.paths)) {
    for (const { parameters = [] } of Object.values(methods)) {
      for (const each of parameters)
        if (each.in === 'path' && each.name === 'id') each.schema = { enum: ids };
    }
  }
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(api));
  return path;
}
type Operation = { parameters?: { in: string; name: string; schema: unknown }[] };

/** Returns the number of test cases, and what the program printed about failures. */
async function fuzz(
  program: string,
  description: string,
  token: string,
): Promise<{ cases: number; failed: boolean; output: string }> {
  const args = ['run', description, '--url', server.url, '--checks', 'not_a_server_error'];
  args.push('--phases', PHASES, '--max-examples', String(CASES), '--mode', 'all');
  args.push('--include-path-regex', PATHS);
  args.push('--seed', String(seedOr(Date.now)), '--generation-database', 'none', '--workers', '1');
  // Only for a call that hangs. Its default of ten seconds is too short on a busy machine.
  args.push('--request-timeout', '60');
  args.push('--suppress-health-check', 'all', '--warnings', 'off', '--no-color');
  args.push('-H', `Authorization: Bearer ${token}`, '-H', `Origin: ${server.app.config.publicUrl}`);
  const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile(program, args, { cwd: folder, maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
  return { cases: Number(/(\d+) generated/.exec(output)?.[1] ?? 0), failed, output };
}

test('[API-02] no generated call causes a server error', {
  timeout: fullSize(15, 60) * MINUTE,
}, async () => {
  const program = pythonProgram('schemathesis');
  const logged = vi.spyOn(server.app.log, 'error');
  const answered = vi.spyOn(server.app.metrics, 'http');
  const { visitor, conversationId } = await createChat(server, 'mara-east');
  const handler = await createStaff(server, 'mara-east');
  const admin = await createAdministrator(server);
  const description = describeCalls([conversationId, '00000000-0000-4000-8000-000000000000']);
  let cases = 0;
  for (const { browser } of fullSize([visitor], [visitor, handler, admin])) {
    const run = await fuzz(program, description, browser.token);
    expect(run.failed, run.output).toBe(false);
    cases += run.cases;
  }
  console.log(`  ${cases} calls generated`);
  expect(cases).toBeGreaterThanOrEqual(CASES_MIN);
  expect(logged.mock.calls).toEqual([]);
  // Otherwise the cases would not get past the front door.
  const succeeded = new Set(answered.mock.calls.flatMap(([call, status]) => (status < 300 ? [call] : [])));
  console.log(`  ${succeeded.size} calls succeeded at least once`);
  expect(succeeded.size).toBeGreaterThan(fullSize(2, 40));
});
