// The versions of the programs that we download or build.
export type ProgramSource = {
  name: string;
  // The oldest accepted version on the PATH, and how to read the version.
  atLeast: readonly [major: number, minor: number];
  versionArgs: readonly string[];
  // The Docker image, and the path of the program in it.
  image: string;
  imagePath: string;
  // The Go module, its hash (which covers its go.sum and so all dependencies), and the package to build.
  module: string;
  version: string;
  sum: string;
  package: string;
};

export const natsServer: ProgramSource = {
  name: 'nats-server',
  atLeast: [2, 15],
  versionArgs: ['--version'],
  image: 'nats:2.15.2',
  imagePath: '/nats-server',
  module: 'github.com/nats-io/nats-server/v2',
  version: 'v2.15.2',
  sum: 'h1:yLsgt2kslgymvxvjFq1WGWck5hkat2YYfbXvQ145tzU=',
  package: '.',
};

// 4.39. Go modules cannot use the release tags of SeaweedFS.
export const seaweed: ProgramSource = {
  name: 'weed',
  atLeast: [4, 0],
  versionArgs: ['version'],
  image: 'chrislusf/seaweedfs:4.39',
  imagePath: '/usr/bin/weed',
  module: 'github.com/seaweedfs/seaweedfs',
  version: 'v0.0.0-20260710040814-db42bb49757b',
  sum: 'h1:0j+TRlUlnKOm2fqRymoo3WTr0gGZOqOZN8Bc1H38Mqs=',
  package: './weed',
};
