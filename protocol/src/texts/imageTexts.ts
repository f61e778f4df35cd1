/** Loaded with the script for images, when the user sends or sees one. */
export const imageTexts = {
  remove: 'Remove {name}',
  megabytes: '{size} MB',
  progress: '{done} of {total} MB',
  uploading: 'Uploading {name}',
  checking: 'Checking the image...',
  cancel: 'Cancel',
  dropHere: 'Drop the image here',
  refused: 'This image can’t be sent.',
  imageFrom: 'Image from {name}',
  yourImage: 'Your image',
  couldNotLoad: "Couldn't load the image.",
  viewer: 'Image viewer',
  close: 'Close',
  previous: 'Previous image',
  next: 'Next image',
  save: 'Save image',
  /** For an image without a name. */
  fileName: 'image',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  place: '{at} of {count}',
} as const;
