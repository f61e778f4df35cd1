import type { RefObject } from 'react';
import { IMAGE_ACCEPT } from './accept.ts';

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
