/** 10 MB. An image must be smaller. */
export const IMAGE_MAX_BYTES = 10_485_760;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The error code for a file that cannot be sent. Used by the browser and the server. */
export function imageProblem(file: { type: string; bytes: number }): 'image_type' | 'image_size' | undefined {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return 'image_type';
  // An empty file has no error text of its own.
  return file.bytes > 0 && file.bytes < IMAGE_MAX_BYTES ? undefined : 'image_size';
}

/** Maximum images and bytes that each side of a conversation can send within 24 hours. */
export const IMAGES_PER_DAY = 50;
export const IMAGE_BYTES_PER_DAY = 200 * 1_048_576;

/** How long an address for an upload or for reading is valid. */
export const UPLOAD_SECONDS = 600;
export const READ_SECONDS = 300;

/** How long a browser retries an upload, as the specification requires. */
export const UPLOAD_RETRY_MS = 10 * 60_000;

const FILE_NAME_MAX = 120;
const DEFAULT_EXTENSION = 'jpg';

export function mediaUrl(conversationId: string, mediaId: string): string {
  return `/conversations/${conversationId}/media/${mediaId}`;
}

/** The mediaId in a message's mediaUrl; undefined for other addresses. */
export function mediaIdOf(url: string): string | undefined {
  return /^\/conversations\/[0-9a-f-]{36}\/media\/([0-9a-f-]{36})$/.exec(url)?.[1];
}

// Also the marks of direction that a text keeps (cleanText.ts): with one, a name can hide its real extension.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const HOSTILE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** A file name without folders, control characters or marks that reorder text, cut to the maximum length. */
export function cleanFileName(raw: string): string {
  const name = raw.split(/[\\/]/).at(-1) ?? '';
  // The front is cut, because the extension is at the end. The cut may split a character.
  return name.replace(HOSTILE, '').trim().slice(-FILE_NAME_MAX).trim().toWellFormed();
}

/** The path of a conversation's media in object storage. Only the extension comes from the file name. */
export function mediaPath(file: {
  conversationId: string;
  randomId: string;
  timestamp: number;
  fileName: string;
}): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(file.fileName)?.[1]?.toLowerCase() ?? DEFAULT_EXTENSION;
  return `conversations/${file.conversationId}/media/${file.randomId}_${file.timestamp}.${extension}`;
}
