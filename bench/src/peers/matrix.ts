import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** One call of Matrix's client API. Rejects every answer except 200. */
export function callMatrix<T>(
  port: number,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  token: string | undefined,
  body?: object,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ agent, method, host: '127.0.0.1', port, path: `/_matrix/client/v3/${path}` },
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(text) as T);
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
