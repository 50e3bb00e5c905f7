/** One try to get out of a sandbox; its script prints ESCAPED where it has come through. */
export interface Escape {
  readonly name: string
  readonly script: string
}

/** Says so if the text of a secret can be read. */
const reads = (file: string): string => `grep -aq TOP-SECRET ${file} 2>/dev/null && echo ESCAPED`
/** Says so if a command succeeds. */
const does = (command: string): string => `( ${command} ) >/dev/null 2>&1 && echo ESCAPED`
const isX64 = process.arch === 'x64'
/** Says so if a system call of x86-64 does not fail. */
const calls = (number: number, ...args: readonly (number | string)[]): string =>
  !isX64 ? 'true' : `perl -e '$r = syscall(${[number, ...args].join(', ')}); print "ESCAPED\\n" if $r != -1'`
const node = (code: string): string => `node -e '${code}' 2>/dev/null`

const table: Readonly<Record<string, string>> = {
  // Files outside.
  'reads a key of the home': reads('"$SECRET_FILE"'),
  'reads the config': reads('"$HOME_DIR/.openclaw/openclaw.json"'),
  "reads another sandbox's files": reads('"$HOME_DIR/.openclaw/sandboxes/other/file"'),
  'lists the home': does('ls "$HOME_DIR/.ssh"'),
  'reads the passwords of the host': does('cat /etc/shadow'),
  'reads the home of root': does('ls /root/.bashrc /root/.profile'),
  'reads logs of the host': does('ls /var/log'),
  'writes beside the workspace': does('echo x >../escaped'),
  'writes into the home': does('echo x >"$HOME_DIR/escaped"'),
  'writes into a system directory': does('echo x >/usr/bin/escaped'),
  'writes a setting of the system': does('echo x >>/etc/ld.so.conf'),
  'writes its own user list': does('echo root::0:0::/:/bin/sh >>/etc/passwd'),
  'writes into the root directory': does('echo x >/escaped'),
  'follows a link out to read': `ln -s "$SECRET_FILE" link1; ${reads('link1')}`,
  'follows a link out to write': `ln -s "$HOME_DIR/escaped2" link2; echo x >link2 2>/dev/null; ln -sfn .. link2d; ${does('echo x >link2d/escaped')}`,
  'links hard to a file of the system': does('ln /usr/bin/env hard && echo x >>hard'),
  'climbs out of the workspace': reads('../../.ssh/id_ed25519'),
  // Through the process tree.
  'goes through the root of process 1': reads('"/proc/1/root$SECRET_FILE"'),
  'goes through the root of every process': `for p in /proc/[0-9]*; do ${reads('"$p/root$SECRET_FILE"')}; done`,
  'goes through working directories': `for p in /proc/[0-9]*; do ${reads('"$p/cwd/../../.ssh/id_ed25519"')}; done`,
  'goes through open descriptors': `for f in /proc/self/fd/* /proc/1/fd/*; do ${reads('"$f/.ssh/id_ed25519"')}; done`,
  'reads the environment of process 1': reads('/proc/1/environ'),
  'has variables of the host': '[ -n "$HOST_SECRET" ] && echo ESCAPED',
  'sees processes of the host': 'ps -e -o args= 2>/dev/null | grep -q "[v]itest\\|[s]ystemd" && echo ESCAPED',
  'kills a process of the host': does('[ "$VICTIM" -gt 100 ] && kill -9 $VICTIM'),
  'traces a process of the host': `perl -e 'print "ESCAPED" if syscall(101, 16, $ENV{VICTIM}, 0, 0) != -1'`,
  'reads the memory of a process of the host': does('head -c1 /proc/$VICTIM/mem'),
  // Privileges.
  'mounts a file system': does('mount -t tmpfs none /tmp'),
  'mounts the host again': does('mount --bind / /tmp'),
  'makes the system writable': does('mount -o remount,rw /usr'),
  'unmounts what covers the host': does('umount /proc || umount -l /usr'),
  'makes a user namespace': does('unshare --user --map-root-user true'),
  'makes a mount namespace': does('unshare --mount true'),
  'enters the namespaces of process 1': does('nsenter --target 1 --mount --pid true'),
  'changes its root': does('chroot /usr /bin/true'),
  'becomes root': `perl -e '$< = 0; $> = 0; print "ESCAPED" if $> == 0'`,
  'becomes root by a program': does('su -c true || sudo -n true || pkexec true'),
  'has capabilities':
    'grep -q "^Cap\\(Eff\\|Prm\\|Bnd\\|Inh\\|Amb\\):.*[1-9a-f]" /proc/self/status && echo ESCAPED',
  'may gain privileges': 'grep -q "^NoNewPrivs:.0" /proc/self/status && echo ESCAPED',
  'leaves a program that makes its user': does('cp /bin/true suid && chmod u+s suid'),
  'leaves a program that makes its group': does('cp /bin/true sgid && chmod 2755 sgid'),
  'opens a file with such a mode': `perl -MFcntl -e 'umask 0; sysopen(F, "suid2", O_CREAT|O_WRONLY, 04755); print "ESCAPED" if (stat("suid2"))[2] & 04000'`,
  // The kernel.
  'writes what runs at a crash': does('echo "|/tmp/x" >/proc/sys/kernel/core_pattern'),
  'writes what loads modules': does('echo /tmp/x >/proc/sys/kernel/modprobe'),
  'writes any setting of the kernel': `for f in $(find /proc/sys/kernel /proc/sys/vm /proc/sys/fs /proc/sys/user -type f -writable 2>/dev/null); do ${does('v=$(cat $f) && echo "$v" >$f')}; done`,
  'presses a magic key': does('echo h >/proc/sysrq-trigger'),
  'reads the memory of the kernel': does('head -c1 /proc/kcore || head -c1 /dev/mem || head -c1 /dev/kmsg'),
  'reaches cgroups or devices in sysfs': does('ls /sys/fs/cgroup /sys/class'),
  'makes a device of the disk': does('mknod disk b 254 0 || mknod /tmp/disk b 254 0 || mknod /tmp/mem c 1 1'),
  'opens a disk': does('head -c1 /dev/vda || head -c1 /dev/sda || head -c1 /dev/nvme0n1'),
  'changes the name of the host': does('hostname escaped'),
  'sets the clock': does('date -s 2001-01-01'),
  'types into a terminal': `perl -e 'ioctl(STDIN, 0x5412, "x") and print "ESCAPED"; open(T, "+</dev/tty") and print "ESCAPED"'`,
  'reads keys of the session': calls(250, 11, -3, 0, 0, 0),
  'adds a key': calls(248, '"user"', '"x"', '"y"', 1, -4),
  'loads a program into the kernel': calls(321, 0, '"x" x 128', 128),
  'watches events of the kernel': calls(298, '"x" x 128', 0, -1, -1, 0),
  'handles page faults itself': calls(323, 1),
  'opens files by their handles': calls(304, -100, '"x" x 128', 0),
  'sets up a ring of calls': calls(425, 1, '"x" x 256'),
  'loads a module': calls(313, 0, '""', 0),
  'turns the root directory': calls(155, '"."', '"."'),
  'opens a file system as a context': calls(430, '"tmpfs"', 0),
  'clones a mount': calls(428, -100, '"/usr"', 1),
  'calls by numbers of another machine': calls(0x4000_0000 + 39),
  'raises its own limits': does('ulimit -H -d unlimited || ulimit -H -f unlimited'),
  // The network, and what looks like it.
  'connects to a server of the host': does('exec 3<>/dev/tcp/127.0.0.1/$PORT'),
  'connects by another address': does(
    'for a in $ADDRESSES 169.254.169.254; do exec 3<>/dev/tcp/$a/$PORT && exit 0; done; exit 1',
  ),
  'connects to an abstract socket': `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); print "ESCAPED" if connect(S, pack("S a*", AF_UNIX, "\\0$ENV{SOCKET_NAME}"))'`,
  'connects to a socket file': node(
    'require("net").connect(process.env.SOCKET_FILE).on("connect", () => console.log("ESCAPED")).on("error", () => {})',
  ),
  'finds sockets of the system': does(
    'ls /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd',
  ),
  'has another interface than itself': node(
    'if (Object.keys(require("os").networkInterfaces()).some((name) => name !== "lo")) console.log("ESCAPED")',
  ),
  'sees shared memory of the host': does('ls /dev/shm/$SOCKET_NAME'),
  // The last one: it takes the others of its sandbox with it.
  'kills everything it can': 'trap "" TERM; kill -TERM -1 2>/dev/null',
}

/** Every try, in order. */
export const escapes: readonly Escape[] = Object.entries(table).map(([name, script]) => ({ name, script }))
