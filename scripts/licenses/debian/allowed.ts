/**
 * What the licenses of Debian packages may be, by the names that Syft finds in their copyright files. Debian's archive "main", from
 * which all of them come, has only free software; this says which of it gets into an image, and why.
 */

/** Licenses that every package may have, in lower case. */
export const permissive: ReadonlySet<string> = new Set([
  "0bsd",
  "apache-2.0",
  "beerware",
  "boost",
  "bsd-2-clause",
  "bsd-3-clause",
  "bsd-4-clause",
  "bsd-4-clause-uc",
  "bsl-1.0",
  "bzip",
  "cc-by-3.0",
  "cc0-1.0",
  "curl",
  "edl-1.0",
  "expat",
  "fsfap",
  "fsfull",
  "fsfullr",
  "info-zip",
  "isc",
  "mit",
  "mit-cmu",
  "mit/x11",
  "oldap-2.8",
  "openldap-2.8",
  "openssl",
  "public-domain",
  "ssleay",
  "unicode",
  "x11",
  "zlib",
]);

/** Licenses that ask for the sources of what is built from a work, whatever their version and exceptions. */
export const copyleft: readonly RegExp[] = [
  /^l?gpl(-[\d.]+)?\+?(?=$|[ -])/i,
  // Of manuals, which images don't contain; those without invariant sections.
  /^gfdl(-niv)?(-[\d.]+)?\+?(-only|-or-later|-no-invariant)?$/i,
  /^artistic/i,
  /^mpl-/i,
  /^sleepycat$/i,
];

/**
 * The packages that may have these. They are Debian's own builds, unmodified; their sources are at snapshot.debian.org,
 * in the versions of docker/debian.
 */
export const mayBeCopyleft: ReadonlySet<string> = new Set([
  // Libraries that Node.js loads: the LGPL lets every program do that, and so does the GPL with GCC's runtime exception.
  ...["gcc-12-base", "libatomic1", "libc-bin", "libc6", "libgcc-s1", "libstdc++6"],
  // Programs that generators, git, and people run as processes of their own, and their data: they are in an image next
  // to Weir, and not a part of it.
  ...[
    "adduser",
    "apt",
    "base-files",
    "base-passwd",
    "bash",
    "bsdutils",
    "ca-certificates",
    "coreutils",
    "dash",
  ],
  ...[
    "debian-archive-keyring",
    "debianutils",
    "diffutils",
    "dirmngr",
    "dpkg",
    "findutils",
    "gawk",
    "gettext-base",
  ],
  ...["git", "git-man", "gnupg", "gnupg-l10n", "gnupg-utils", "gpg", "gpg-agent", "gpg-wks-client"],
  ...[
    "gpg-wks-server",
    "gpgconf",
    "gpgsm",
    "gpgv",
    "grep",
    "gzip",
    "hostname",
    "init-system-helpers",
    "login",
  ],
  ...[
    "mawk",
    "openssl",
    "passwd",
    "perl",
    "perl-base",
    "perl-modules-5.36",
    "pinentry-curses",
    "sed",
    "socat",
  ],
  ...["sysvinit-utils", "tar", "usr-is-merged", "util-linux", "util-linux-extra", "wget"],
  // Libraries that only these programs load.
  ...["libacl1", "libapt-pkg6.0", "libassuan0", "libattr1", "libaudit-common", "libaudit1", "libblkid1"],
  ...[
    "libbz2-1.0",
    "libcap-ng0",
    "libcom-err2",
    "libcrypt1",
    "libcurl3-gnutls",
    "libdb5.3",
    "libdebconfclient0",
  ],
  ...["liberror-perl", "libffi8", "libgcrypt20", "libgdbm-compat4", "libgdbm6", "libgmp10", "libgnutls30"],
  ...["libgpg-error0", "libgssapi-krb5-2", "libhogweed6", "libidn2-0", "libk5crypto3", "libkeyutils1"],
  ...["libkrb5-3", "libkrb5support0", "libksba8", "libldap-2.5-0", "liblz4-1", "liblzma5", "libmount1"],
  ...["libmpfr6", "libnettle8", "libnghttp2-14", "libnpth0", "libnsl2", "libp11-kit0", "libpam-modules"],
  ...["libpam-modules-bin", "libpam-runtime", "libpam0g", "libperl5.36", "libreadline8", "librtmp1"],
  ...[
    "libsasl2-2",
    "libsasl2-modules-db",
    "libseccomp2",
    "libselinux1",
    "libsemanage-common",
    "libsemanage2",
  ],
  ...["libsepol2", "libsigsegv2", "libsmartcols1", "libsqlite3-0", "libssl3", "libsystemd0", "libtasn1-6"],
  ...[
    "libtirpc-common",
    "libtirpc3",
    "libudev1",
    "libunistring2",
    "libuuid1",
    "libxxhash0",
    "readline-common",
  ],
]);

/** Names that mean something only in the copyright files of certain packages. People have read what that is. */
export const ownNames: readonly { readonly packages: RegExp; readonly names: readonly string[] }[] = [
  { packages: /^bash$/, names: ["Latex2e", "MIT-like", "permissive"] },
  { packages: /^(bsdutils|util-linux.*|lib(blkid|mount|smartcols|uuid)1)$/, names: ["BSLA"] },
  { packages: /^debianutils$/, names: ["SMAIL-GPL"] },
  { packages: /^(dirmngr|gnupg|gpg).*$/, names: ["RFC-Reference", "TinySCHEME", "permissive"] },
  { packages: /^dpkg$/, names: ["public-domain-s-s-d"] },
  { packages: /^git(-man)?$/, names: ["dlmalloc", "mingw-runtime"] },
  { packages: /^gzip$/, names: ["FSF-manpages"] },
  { packages: /^libassuan0$/, names: ["GAP", "GAP~FSF"] },
  {
    packages: /^libbsd0$/,
    names: [
      "BSD-2-clause-author",
      "BSD-2-clause-verbatim",
      "BSD-3-clause-John-Birrell",
      "BSD-3-clause-Regents",
      "BSD-3-clause-author",
      "BSD-4-clause-Niels-Provos",
      "ISC-Original",
      "libutil-David-Nugent",
    ],
  },
  // One may choose between this and a permissive one.
  { packages: /^lib(cap2|zstd1)$/, names: ["GPL-2.0-only", "GPL-2.0-or-later"] },
  { packages: /^libbz2-1\.0$/, names: ["BSD-variant"] },
  { packages: /^libcom-err2$/, names: ["Kazlib", "Latex2e"] },
  { packages: /^libdb5\.3$/, names: ["BSD-3-clause-fjord", "MIT-old", "MS-PL", "TCL-like"] },
  { packages: /^libgpg-error0$/, names: ["g10-permissive"] },
  { packages: /^lib(hogweed6|nettle8)$/, names: ["GAP"] },
  {
    packages: /^libldap-2\.5-0$/,
    names: [
      "BSD-3-clause-California",
      "BSD-3-clause-variant",
      "BSD-4-clause-California",
      "Expat-ISC",
      "Expat-UNM",
      "F5",
      "FSF-unlimited",
      "JCG",
      "MIT-XC",
      "NeoSoft-permissive",
      "UMich",
    ],
  },
  {
    packages: /^liblzma5$/,
    names: [
      "Autoconf",
      "PD",
      "PD-debian",
      "config-h",
      // The texts of licenses themselves, which may only be copied.
      "noderivs",
      "permissive-fsf",
      "permissive-nowarranty",
      "probably-PD",
    ],
  },
  {
    packages: /^libmd0$/,
    names: ["BSD-3-clause-Aaron-D-Gifford", "public-domain-md4", "public-domain-md5", "public-domain-sha1"],
  },
  { packages: /^libnghttp2-14$/, names: ["all-permissive"] },
  {
    packages: /^libnsl2$/,
    names: [
      "permissive-autoconf-m4",
      "permissive-autoconf-m4-no-warranty",
      "permissive-configure",
      "permissive-fsf",
      "permissive-makefile-in",
    ],
  },
  {
    packages: /^libp11-kit0$/,
    names: ["ISC+IBM", "permissive-like-automake-output", "same-as-rest-of-p11kit"],
  },
  { packages: /^libpam.*$/, names: ["BSD-tcp_wrappers"] },
  {
    packages: /^libpcre2-8-0$/,
    names: ["BSD-3-clause-Cambridge"],
  },
  {
    packages: /^(lib)?perl.*$/,
    names: [
      "BSD-3-clause-GENERIC",
      "BSD-3-clause-with-weird-numbering",
      "BSD-4-clause-POWERDOG",
      // The text of the GPL itself.
      "DONT-CHANGE-THE-GPL",
      // Of one file, under either, or under the licenses of Perl.
      ...["HSIEH-BSD", "HSIEH-DERIVATIVE"],
      ...["REGCOMP", "REGCOMP,"],
      "RRA-KEEP-THIS-NOTICE",
      "SDBM-PUBLIC-DOMAIN",
      "TEXT-TABS",
    ],
  },
  { packages: /^libpsl5$/, names: ["Chromium", "gnulib"] },
  { packages: /^(libreadline8|readline-common)$/, names: ["ISC-no-attribution"] },
  {
    packages: /^libsasl2-.*$/,
    names: [
      "BSD-2.2-clause",
      "BSD-3-clause-JANET",
      "BSD-3-clause-PADL",
      "BSD-4-clause-KTH",
      "IBM-as-is",
      "MIT-Export",
      "MIT-OpenVision",
      "OpenLDAP",
      "RSA-MD",
    ],
  },
  { packages: /^libsigsegv2$/, names: ["permissive"] },
  { packages: /^libssh2-1$/, names: ["BSD3"] },
  { packages: /^libunistring2$/, names: ["FreeSoftware"] },
  { packages: /^libwrap0$/, names: ["SSH", "TCP-wrappers"] },
  {
    packages: /^openssh-client$/,
    names: ["Expat-with-advertising-restriction", "Mazieres-BSD-style", "OpenSSH", "Powell-BSD-style"],
  },
  { packages: /^sed$/, names: ["pcre"] },
];

/** What copyright files say that aren't machine-readable, by their SHA-256: a changed one has to be read again. */
export const readByPeople: Readonly<Record<string, readonly string[]>> = {
  // base-files
  fd7e4aae7e7b05f217bcf2d02322825c360e66c52c4c2f1b28d784d6297a1c23: ["GPL-2+"],
  // debian-archive-keyring
  b32aecaae84643700a33bc9ee83fa9b36938d35aa7b61b5042092eca77ddb732: ["GPL-2+", "public-domain"],
  // gcc-12-base, libatomic1, libgcc-s1, libstdc++6
  da8191658b3452ce9caf31638ba61dab31a38c619fa39df119812e050f592fd3: [
    "GPL-3+ with GCC Runtime Library exception",
    "GPL-3+",
    "LGPL-2.1+",
    "Artistic",
    "BSD-3-clause",
    "Expat",
    "GFDL-1.2",
  ],
  // gettext-base
  "2af485dd05ff2f402caedc35973eb8bf60a639c4877949d19ad2054c1002984c": [
    "GPL-3+",
    "LGPL-2.1+",
    "GFDL-1.2+",
    "GPL-2+",
  ],
  // libc-bin, libc6
  "40c7e1f2118531f038ca22999bd976901254e1bc5cd1b0f0211bdd064c599987": [
    "LGPL-2.1+",
    "GPL-2",
    "BSD-3-clause",
    "BSD-4-clause-UC",
    "ISC",
    "MIT-CMU",
    "public-domain",
  ],
  // libcrypt1
  "5a5e7ca0e9f3f9679977e3a3e9ede45ad92885a3297ea78e766979f9866c5a16": [
    "LGPL-2.1+",
    "0BSD",
    "BSD-2-clause",
    "BSD-3-clause",
    "FSFAP",
    "GPL-3+ with Autoconf exception",
    "public-domain",
  ],
  // libgcrypt20
  "95db2f9da663f2bfe2aabe9c72fce9d6c9ae767b912f397d7823f50bd55a1a7d": [
    "LGPL-2.1+",
    "GPL-2+",
    "BSD-3-clause",
    "X11",
    "public-domain",
  ],
  // libgnutls30
  bb7e5c24b3e27bbba5671dd710d159a0066833bda4caa1d55d8027ffed539337: [
    "LGPL-2.1+",
    "LGPL-3+ or GPL-2+",
    "GPL-3+",
    "Apache-2.0",
    "BSD-3-clause",
    "Expat",
    "GFDL-1.3+",
  ],
  // libgssapi-krb5-2, libk5crypto3, libkrb5-3, libkrb5support0
  "936728f4181718f42951b881c1e8f1386bf6b2723c4fbc533c374d6f42c71816": [
    "MIT",
    "BSD-2-clause",
    "BSD-3-clause",
    "BSD-4-clause-UC",
    "GPL-2+",
    "OpenLDAP-2.8",
  ],
  // libksba8
  b84c864ba35df1f3160ad00a4e4ee32e8a95783c3d3604301b2909163ff198cf: [
    "LGPL-3+ or GPL-2+",
    "GPL-3+",
    "FSFULLR",
  ],
  // libmpfr6
  c434a44e656a89e72b5cee13bba6719011e0899bfc626ab9c08205010ab2dbbe: ["LGPL-3+", "GFDL-1.2+"],
  // librtmp1
  "4302abcc1ea1b6cbe8d19c79b892acf78878030220210707c19006828866207c": ["LGPL-2.1+", "GPL-2+"],
  // libselinux1
  "641806738b0c6a3d03168c2649e6b94205198bb66cd557e6bae3a20b71c9bb0b": ["public-domain", "GPL-2", "LGPL-2.1+"],
  // libsemanage-common, libsemanage2
  e00e6a86c598f9e24ced0180a70a5f2f2e45e133d93adf2b17ce8a06ce4b1b51: ["LGPL-2.1+", "GPL-2"],
  // libtasn1-6
  "572ad60ad184d8f52c6dc66d83a61a68f137db560b3452ce00588c9ecf128a65": ["LGPL-2.1+", "GPL-3+", "GFDL-1.3+"],
  // socat
  "6b60279553fd318b8bbe4ed92517e1826e335f76026e3825c09da321b828f6d9": ["GPL-2+", "GPL-3", "MIT-CMU"],
  // unzip
  aacc60ee90cc889820675362044cce73adf6bd97ed39cf847bb902ccdf6a4b63: ["Info-ZIP"],
  // wget
  c58cb5a2d94f35f0e9b0f1a038d48b73477aa12782ff17328c21d8a86f5f99d5: ["GPL-3+", "GFDL-1.2"],
};
