// npm test: unit tests, then those that need the engines. Arguments go to vitest (a file's name, -t, --watch).
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', shell: false });
process.exit(status ?? 1);
