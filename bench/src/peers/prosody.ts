import type { Engines } from '../stage.ts';
import type { Product } from './product.ts';
import { peerVersion } from './root.ts';
import { FILES, type XmppServer, xmppProduct } from './xmpp.ts';
import { DOMAIN } from './xmppClient.ts';

/** Only what the measured work needs, so that nothing else costs time. */
const config: XmppServer['config'] = {
  file: 'prosody.cfg.lua',
  text: (port, { hostname, port: sqlPort, pathname, username, password }) => `
data_path = "${FILES}"
log = { error = "${FILES}/prosody.log" }
network_backend = "epoll"
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
s2s_ports = {}
http_ports = {}
https_ports = {}
modules_enabled = { "saslauth", "roster", "ping", "mam", "register_ibr" }
modules_disabled = { "s2s", "offline" }
allow_registration = true
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
default_storage = "sql"
default_archive_policy = true
archive_expires_after = "never"
sql = {
  driver = "PostgreSQL";
  host = "${hostname}";
  port = ${sqlPort};
  database = "${pathname.slice(1)}";
  username = "${username}";
  password = "${password}";
}
VirtualHost "${DOMAIN}"
`,
};

export async function prosody(engines: Engines, idle: number): Promise<Product> {
  const version = peerVersion('prosody');
  return xmppProduct(
    engines,
    {
      name: 'Prosody',
      version,
      rates: [100, 200, 300, 400, 500, 600, 800],
      config,
      command: ['prosody', '-F', '--config', `${FILES}/${config.file}`],
      archive: 'prosodyarchive',
    },
    idle,
  );
}
