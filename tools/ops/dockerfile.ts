// As much of a Dockerfile as ours uses. What it does not know, it refuses.

export type Copy = { from: string | undefined; owner: string | undefined; sources: string[]; target: string };

export type Instruction =
  | { does: 'copy'; copy: Copy }
  | { does: 'run'; command: string }
  | { does: 'workdir'; folder: string };

export type Stage = {
  name: string;
  base: string;
  instructions: Instruction[];
  environment: Record<string, string>;
  user: string | undefined;
  stopSignal: string | undefined;
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
};

/** Stages in order; the last one is the image. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of wholeLines(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
    if (word === 'FROM') stages.push(newStage(rest));
    else add(stages.at(-1), word, rest);
  }
  return stages;
}

function wholeLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function newStage(rest: string): Stage {
  const [base = '', , name = ''] = rest.split(/\s+/);
  return {
    ...{ name, base, instructions: [], environment: {}, user: undefined, stopSignal: undefined },
    ...{ entrypoint: [], command: [], healthCheck: [] },
  };
}

function add(stage: Stage | undefined, word: string, rest: string): void {
  if (stage === undefined) throw new Error(`Dockerfile: ${word} before the first FROM`);
  switch (word) {
    case 'WORKDIR':
      stage.instructions.push({ does: 'workdir', folder: rest });
      break;
    case 'COPY':
      stage.instructions.push({ does: 'copy', copy: readCopy(rest) });
      break;
    case 'RUN':
      stage.instructions.push({ does: 'run', command: rest });
      break;
    case 'ENV':
      for (const [, name = '', value = ''] of rest.matchAll(/([A-Z_]+)=(\S+)/g))
        stage.environment[name] = value;
      break;
    case 'USER':
      stage.user = rest;
      break;
    case 'STOPSIGNAL':
      stage.stopSignal = rest;
      break;
    case 'ENTRYPOINT':
      stage.entrypoint = words(rest);
      break;
    case 'CMD':
      stage.command = words(rest);
      break;
    case 'HEALTHCHECK':
      stage.healthCheck = words(rest.slice(rest.indexOf('CMD ') + 4));
      break;
    case 'LABEL':
    case 'EXPOSE':
      break;
    default:
      throw new Error(`Dockerfile: ${word} is not known here; teach tools/ops/dockerfile.ts about it`);
  }
}

function readCopy(rest: string): Copy {
  const parts = rest.split(/\s+/);
  const flag = (name: string): string | undefined =>
    parts.find((part) => part.startsWith(`--${name}=`))?.slice(name.length + 3);
  const paths = parts.filter((part) => !part.startsWith('--'));
  const target = paths.pop() ?? '';
  return { from: flag('from'), owner: flag('chown'), sources: paths, target };
}

/** Only the form without a shell: the image has none. */
function words(json: string): string[] {
  return JSON.parse(json) as string[];
}
