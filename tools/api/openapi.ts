import type { Call } from '../../protocol/src/calls/call.ts';
import { type CallName, calls } from '../../protocol/src/calls/http.ts';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from '../../protocol/src/frames/version.ts';
import { cookieName } from '../../server/src/auth/cookies.ts';
import { BODY_MAX_BYTES } from '../../server/src/http/server.ts';
import { callers } from './callers.ts';
import { commentOnCall, withFieldComments, withShapeComments } from './comments.ts';
import type { ComponentName } from './components.ts';
import { areas } from './notes.ts';
import { otherPaths } from './otherPaths.ts';
import { noteOf, OWN_REFUSALS, refusalsByStatus, refusalsOf } from './refusals.ts';
import { describe, describeComponents, type Json } from './schemas.ts';

const REFUSAL = { $ref: '#/components/schemas/Refusal' };
const REFUSED = { $ref: '#/components/responses/Refused' };
const JSON_TYPE = 'application/json';

export const ABOUT = [
  'The calls of a Settee installation, written by `npm run api` from the schemas that the server parses with.',
  'What cannot be told by a schema is in docs/protocol.md, and how to begin in docs/api.md.',
  'Unknown fields of a body and unknown parameters of a query are refused. An answer may get new fields within a version: ignore what you do not know.',
  'Lengths of texts are counted in UTF-16 units, as JavaScript does: an emoji counts as two or more.',
  'A rule that JSON Schema cannot express, such as what is removed from a text before it is measured, stands in the description of its field.',
].join('\n\n');

type Response = { description: string; $ref?: string; content?: Record<string, { schema: Json }> };

export type Operation = {
  operationId: CallName;
  tags: [string];
  summary: string;
  description: string;
  security?: Record<string, never[]>[];
  parameters?: {
    name: string;
    in: 'path' | 'query';
    required: boolean;
    description?: string;
    schema: Json;
  }[];
  requestBody?: { required: true; content: Record<string, { schema: Json }> };
  responses: Record<string, Response>;
};

export function openApi() {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [area, notes] of Object.entries(areas)) {
    for (const name of Object.keys(notes) as CallName[]) {
      const call: Call = calls[name];
      const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(area, name, call) };
    }
  }
  const schemas = Object.entries(describeComponents()).map(
    ([name, schema]) => [name, withShapeComments(name as ComponentName, schema)] as const,
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Settee',
      version: String(PROTOCOL_VERSION),
      summary: 'Self-hosted one-to-one live chat.',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-oldest-version-served': String(PROTOCOL_FLOOR),
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      { url: 'https://chat.example.org', description: 'Where your installation is: its PUBLIC_URL.' },
    ],
    tags: Object.keys(areas).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An ID token, for one hour.',
        },
        visitorCookie: cookieScheme('visitor', 'A visitor’s browser; without it, somebody new.'),
        staffCookie: cookieScheme('staff', 'A member of staff’s session.'),
      },
      // Beside a reference to it each call tells its own codes.
      responses: { Refused: { description: 'Refused.', content: { [JSON_TYPE]: { schema: REFUSAL } } } },
      schemas: Object.fromEntries(schemas),
    },
    // Served as well, and no calls: docs/protocol.md tells about them.
    'x-other-paths': otherPaths,
  };
}

function cookieScheme(whose: 'visitor' | 'staff', words: string) {
  const name = cookieName({ publicUrl: 'https:' }, whose);
  const description = `${words} Over http, for a local try, its name is \`${cookieName({ publicUrl: 'http:' }, whose)}\`.`;
  return { type: 'apiKey', in: 'cookie', name, description };
}

function operation(area: string, name: CallName, call: Call): Operation {
  const { cookie } = noteOf(name);
  const scheme = callers[call.auth].bearer ? 'idToken' : cookie;
  const parameters = [...pathParameters(call), ...queryParameters(name, call)];
  return {
    operationId: name,
    tags: [area],
    summary: noteOf(name).summary,
    description: descriptionOf(name, call),
    ...(scheme !== undefined && { security: [{ [scheme]: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(name, call),
    responses: responses(name, call),
  };
}

function descriptionOf(name: CallName, call: Call): string {
  const { rate } = noteOf(name);
  const kind = callers[call.auth];
  return [
    commentOnCall(name),
    `Who may call: ${kind.name.toLowerCase()}. ${kind.words}`,
    rate && `How often: ${rate}.`,
    (call.bytes ?? call.body) &&
      `At most ${(call.bytes ?? call.bodyMax ?? BODY_MAX_BYTES).toLocaleString('en')} bytes.`,
    `Refused: ${refusalsOf(name)
      .map((code) => `\`${code}\``)
      .join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** An id is a UUID; a token and an alias are what they are elsewhere. */
function pathParameters({ path }: Call): NonNullable<Operation['parameters']> {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema:
      name === 'alias'
        ? { $ref: '#/components/schemas/Alias' }
        : name === 'token'
          ? { type: 'string', description: 'The last part of an invite’s link.' }
          : { $ref: '#/components/schemas/Uuid' },
  }));
}

function queryParameters(name: CallName, { query }: Call): NonNullable<Operation['parameters']> {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = withFieldComments(name, describe(query));
  return Object.entries(properties).map(([parameter, of]) => {
    const { description, ...schema } = of as Json;
    return {
      name: parameter,
      in: 'query' as const,
      required: required.includes(parameter),
      ...(description !== undefined && { description }),
      schema,
    };
  });
}

function requestBody(name: CallName, { body, bytes }: Call): Pick<Operation, 'requestBody'> {
  if (bytes !== undefined) {
    const schema = {
      type: 'string',
      contentMediaType: 'image/*',
      description: 'The bytes of the file.',
    } as Json;
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } };
  }
  if (body === undefined) return {};
  const schema = withFieldComments(name, describe(body));
  return { requestBody: { required: true, content: { [JSON_TYPE]: { schema } } } };
}

function responses(name: CallName, { answer }: Call): Operation['responses'] {
  const schema = withFieldComments(name, describe(answer));
  const own = OWN_REFUSALS.has(name) && {
    content: { [JSON_TYPE]: { schema: { anyOf: [schema, REFUSAL] } } },
  };
  const refusals = [...refusalsByStatus(name)].map(
    ([status, codes]) => [String(status), { ...(own || REFUSED), description: codes.join(', ') }] as const,
  );
  return {
    200: { description: 'Done.', content: { [JSON_TYPE]: { schema } } },
    ...Object.fromEntries(refusals),
  };
}
