export const IMAGE_MAX_BYTES = 10_485_760;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

const DEFAULT_EXTENSION = 'jpg';

/** Where a conversation's media lies in object storage. Only the extension comes from the file's name. */
export function mediaPath(file: {
  conversationId: string;
  randomId: string;
  timestamp: number;
  fileName: string;
}): string {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(file.fileName)?.[1]?.toLowerCase() ?? DEFAULT_EXTENSION;
  return `conversations/${file.conversationId}/media/${file.randomId}_${file.timestamp}.${extension}`;
}
