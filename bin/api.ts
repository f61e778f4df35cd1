// npm run api: writes the API description to docs/api, the list of calls in docs/api.md and the limits in docs/security.md.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frames } from '../tools/api/frames.ts';
import { openApi } from '../tools/api/openapi.ts';
import { withCalls, withLimits } from '../tools/api/pages.ts';
import { WIRE_CHANGED, wireHash } from '../tools/api/wire.ts';

const docs = join(import.meta.dirname, '../docs');
const folder = join(docs, 'api');
const api = openApi();

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(api, null, 2));
writeFileSync(join(folder, 'frames.json'), JSON.stringify(frames(), null, 2));
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
  copyFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)), join(folder, file));
}
writeFileSync(join(folder, 'index.html'), page(api));
const guide = join(docs, 'api.md');
const before = readFileSync(guide, 'utf8');
writeFileSync(guide, withCalls(before, api));
if (!before.includes(wireHash())) console.log(WIRE_CHANGED);
const security = join(docs, 'security.md');
writeFileSync(security, withLimits(readFileSync(security, 'utf8')));
console.log(`Open ${join(folder, 'index.html')}`);

/** Contains the description, so that it also opens as a file. Makes no requests. */
function page(spec: object): string {
  const options = {
    dom_id: '#ui',
    spec,
    supportedSubmitMethods: [],
    validatorUrl: null,
    docExpansion: 'none',
  };
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Settee API</title>
<link rel="stylesheet" href="swagger-ui.css">
<div id="ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle(${JSON.stringify(options).replaceAll('<', '\\u003c')})</script>
</html>
`;
}
