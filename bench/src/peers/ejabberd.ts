import type { Engines } from '../stage.ts';
import type { Product } from './product.ts';
import { peerVersion } from './root.ts';
import { FILES, type XmppServer, xmppProduct } from './xmpp.ts';
import { DOMAIN } from './xmppClient.ts';

/** Only what the measured work needs, so that nothing else costs time. */
const config: XmppServer['config'] = {
  file: 'ejabberd.yml',
  text: (port, { hostname, port: sqlPort, pathname, username, password }) => `
hosts: [${DOMAIN}]
loglevel: error
certfiles: []
listen:
  - port: ${port}
    ip: 127.0.0.1
    module: ejabberd_c2s
    access: c2s
    shaper: none
    max_stanza_size: infinity
    backlog: 1000
acl: {}
access_rules:
  c2s: {allow: all}
  register: {allow: all}
registration_timeout: infinity
auth_method: sql
auth_password_format: plain
default_db: sql
sql_type: pgsql
sql_server: ${hostname}
sql_port: ${sqlPort}
sql_database: ${pathname.slice(1)}
sql_username: ${username}
sql_password: "${password}"
sql_pool_size: 10
modules:
  mod_mam:
    db_type: sql
    default: always
  mod_ping: {}
  mod_register:
    access: register
    ip_access: all
`,
};

export async function ejabberd(engines: Engines, idle: number): Promise<Product> {
  const version = peerVersion('ejabberd');
  return xmppProduct(
    engines,
    {
      name: 'ejabberd',
      version,
      rates: [600, 1_200, 1_600, 2_000, 2_400, 2_800, 3_200],
      config,
      command: [
        ...['env', `EJABBERD_CONFIG_PATH=${FILES}/${config.file}`, `EJABBERD_LOG_PATH=${FILES}/ejabberd.log`],
        // The start of Debian's ejabberdctl, without its name on the network. Schedulers that have nothing to do sleep
        // at once: otherwise they would take CPU time from the database.
        ...['sh', '-c'],
        `ERL_LIBS=$(echo /usr/lib/*-linux-gnu) exec erl -noinput +K true +P 250000 +Q 65536 \
          +sbwt none +sbwtdcpu none +sbwtdio none -mnesia dir '"${FILES}/mnesia"' -s ejabberd`,
      ],
      archive: 'archive',
    },
    idle,
  );
}
