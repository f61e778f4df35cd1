import { IMAGE_TYPES } from '@settee/protocol/model/media';
import type { RefObject } from 'react';

/**
 * The types in the file dialog. Without HEIC, iPhones and Safari convert photos to JPEG. Pasted or dropped HEIC files
 * are converted here if the browser can.
 */
const IMAGE_ACCEPT = IMAGE_TYPES.join();

type FileFieldProps = { input: RefObject<HTMLInputElement | null>; onFiles: (files: File[]) => void };

/** A hidden file input, opened by a styled button. */
export function FileField({ input, onFiles }: FileFieldProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      multiple
      accept={IMAGE_ACCEPT}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // Allows picking the same file again.
        currentTarget.value = '';
      }}
    />
  );
}
