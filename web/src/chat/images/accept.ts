/** What a file dialog offers. A phone's HEIC photo is made a JPEG here, where the browser can. */
export const IMAGE_ACCEPT = 'image/jpeg,image/png,image/gif,image/webp,image/heic,image/heif';
