import { LiveClient } from './client.ts';

/**
 * A console in a process of its own, which a test can stop as a machine stops that lost its power: the socket stays open,
 * and nobody is behind it. Says on its standard output when it is welcome, and whenever the server asked whether it is
 * still there.
 */
const [url = '', origin = '', token = ''] = process.argv.slice(2);
const say = (word: string) => process.stdout.write(`${word}\n`);
const socket = await LiveClient.open(url, origin, token, { pinged: () => say('pinged') });
say('welcome');
setInterval(() => socket.say({ type: 'ping' }), 60_000);
