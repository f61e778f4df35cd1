import { IMAGE_TYPES } from '@settee/protocol/model/media';
import type { RefObject } from 'react';

/**
 * What a file dialog offers. Not HEIC: asked for these, an iPhone and Safari make a JPEG of such a photo themselves. One
 * that is pasted or dropped is made one here, where the browser can.
 */
const IMAGE_ACCEPT = IMAGE_TYPES.join();

type FileFieldProps = { input: RefObject<HTMLInputElement | null>; onFiles: (files: File[]) => void };

/** What a button of the composer's own look presses: the browser's own says too much. */
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
        // So that the same one can be picked again.
        currentTarget.value = '';
      }}
    />
  );
}
