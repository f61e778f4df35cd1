// npm test: runs vitest with the given arguments (a file name, -t, --watch).
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', shell: false });
process.exit(status ?? 1);
