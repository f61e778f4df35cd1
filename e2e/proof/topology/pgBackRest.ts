import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { waitUntil } from '../../../tools/engines/process.ts';
import { newSecret } from '../../../tools/engines/state.ts';
import { freePort } from '../../../tools/freePorts.ts';
import { query } from './installation.ts';
import { FOLDER, give, Machine, regionRoot, writeConfig } from './machine.ts';

const HOME = join(FOLDER, 'restore');
const SHIPPED = resolve(import.meta.dirname, '../../../ops/pgbackrest.conf');
const BINARIES = '/usr/lib/postgresql/18/bin';
const STARTS_WITHIN_SECONDS = 120;

/** A PostgreSQL whose WAL goes to a repository of pgBackRest, with the settings of `ops/pgbackrest.conf`. */
export class ArchivedPostgres {
  readonly ownerUrl: string;
  readonly #port: number;
  readonly #config: string;
  #machine: Machine | undefined;

  private constructor(port: number, password: string, config: string) {
    this.#port = port;
    this.#config = config;
    this.ownerUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  }

  static async start(): Promise<ArchivedPostgres> {
    rmSync(HOME, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const folder of [HOME, folderOf('data'), folderOf('repository')]) {
      mkdirSync(folder, { mode: 0o700 });
      give(folder);
    }
    const [port, password] = [await freePort(), newSecret()];
    const config = writeConfig('pgbackrest.conf', settings(port));
    const postgres = new ArchivedPostgres(port, password, config);
    const secret = writeConfig('restore-password', password);
    await execute('initdb', [
      `${BINARIES}/initdb`,
      `--pgdata=${folderOf('data')}`,
      '--username=postgres',
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--data-checksums',
    ]);
    await postgres.#run('data', [
      'archive_mode=on',
      `archive_command=${postgres.#command('archive-push %p')}`,
    ]);
    await postgres.pgBackRest('stanza-create');
    await postgres.pgBackRest('check');
    return postgres;
  }

  #command(args: string): string {
    return `pgbackrest --config=${this.#config} --stanza=settee ${args}`;
  }

  /** Runs it on the machine of PostgreSQL. */
  async pgBackRest(args: string): Promise<void> {
    const password = new URL(this.ownerUrl).password;
    const environment = ['PGHOST=127.0.0.1', 'PGUSER=postgres', `PGPASSWORD=${password}`];
    await execute(args.split(' ')[0] ?? '', ['env', ...environment, ...this.#command(args).split(' ')]);
  }

  /** `kill -9`. Before that, the WAL up to now reaches the repository. */
  async die(): Promise<void> {
    const [[segment] = []] = await query(this.ownerUrl, 'select pg_walfile_name(pg_switch_wal())');
    const archived = async (): Promise<boolean> =>
      (
        await query(this.ownerUrl, 'select last_archived_wal >= $1 from pg_stat_archiver', [segment])
      )[0]?.[0] === true;
    if (!(await waitUntil(archived, STARTS_WITHIN_SECONDS))) throw new Error('the WAL was not archived');
    await this.close();
  }

  /** Restores into a new folder, and starts the server there. */
  async restoreTo(time: string): Promise<void> {
    mkdirSync(folderOf('restored'), { mode: 0o700 });
    give(folderOf('restored'));
    const password = new URL(this.ownerUrl).password;
    await execute('restore', [
      'env',
      `PGPASSWORD=${password}`,
      ...this.#command('--type=time --target-action=promote').split(' '),
      `--target=${time}`,
      `--pg1-path=${folderOf('restored')}`,
      'restore',
    ]);
    await this.#run('restored', ['archive_mode=off']);
  }

  async #run(folder: string, more: string[]): Promise<void> {
    const parameters = [
      `port=${this.#port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=/tmp',
      'timezone=UTC',
      ...more,
    ];
    const command = [
      `${BINARIES}/postgres`,
      '-D',
      folderOf(folder),
      ...parameters.flatMap((each) => ['-c', each]),
    ];
    this.#machine = new Machine({ name: `restore-${folder}`, root: regionRoot(), command });
    this.#machine.start();
    const answers = async (): Promise<boolean> =>
      query(this.ownerUrl, 'select pg_is_in_recovery()').then(
        ([row]) => row?.[0] === false,
        () => false,
      );
    if (!(await waitUntil(answers, STARTS_WITHIN_SECONDS)))
      throw new Error(`PostgreSQL did not start; see ${FOLDER}/restore-${folder}.log`);
  }

  async close(): Promise<void> {
    await this.#machine?.kill();
  }
}

function folderOf(name: string): string {
  return join(HOME, name);
}

/** The shipped settings with the folders of this computer. */
function settings(port: number): string {
  const values: Record<string, string> = {
    'repo1-path': folderOf('repository'),
    'repo1-cipher-pass': newSecret(),
    'pg1-path': folderOf('data'),
    'pg1-port': String(port),
  };
  let text = readFileSync(SHIPPED, 'utf8');
  for (const [name, value] of Object.entries(values)) {
    const changed = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
    if (changed === text) throw new Error(`ops/pgbackrest.conf does not set ${name}`);
    text = changed;
  }
  return text;
}

async function execute(name: string, command: string[]): Promise<void> {
  await new Machine({ name: `restore-${name}`, root: regionRoot(), command }).run();
}
