// Builds what the pages load into dist/: hashed names, each file also compressed ahead of time.
//
//   dist/katex.js        for the server's JavaScript engine, never sent to a browser
//   dist/assets/         served for ever under names that change with their content
//   dist/manifest.json   "problem.js" -> "problem-3F7A2C.js"
//   dist/build.txt       hash of everything this build read, given by the build hook
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = ["es2022", "chrome123", "firefox120", "safari17.5"];

/** @param {string} folder @param {string} ending */
async function filesIn(folder, ending) {
  const names = await readdir(join(here, folder));
  return names.filter((name) => name.endsWith(ending)).sort().map((name) => join(here, folder, name));
}

/** Page modules share their common parts; styles pull in the fonts that they name. @param {string} into */
async function bundlePages(into) {
  return esbuild.build({
    absWorkingDir: here,
    entryPoints: [...(await filesIn("pages", ".js")), ...(await filesIn("styles", ".css"))],
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    target,
    outdir: into,
    entryNames: "[name]-[hash]",
    chunkNames: "part-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file", ".woff": "empty", ".ttf": "empty", ".svg": "file" },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
}

/** @param {string} into */
async function bundleForServer(into) {
  return esbuild.build({
    absWorkingDir: here,
    entryPoints: [join(here, "server", "katex.js")],
    bundle: true,
    format: "iife",
    minify: true,
    target: ["es2020"],
    outfile: join(into, "katex.js"),
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
}

/** Which file an entry became. @param {esbuild.Metafile} metafile */
function manifestOf(metafile) {
  /** @type {Record<string, string>} */
  const manifest = {};
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint) manifest[basename(entryPoint)] = basename(output);
  }
  return manifest;
}

/** Fonts and the like, which styles pull in: a page may want them before its styles are read. @param {esbuild.Metafile} metafile */
function fontsOf(metafile) {
  /** @type {Record<string, string>} */
  const fonts = {};
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    if (output.endsWith(".woff2")) fonts[basename(Object.keys(inputs)[0])] = basename(output);
  }
  return fonts;
}

/** What the page needs at once for an entry, besides the entry. @param {esbuild.Metafile} metafile */
function preloadsOf(metafile) {
  /** @type {Record<string, string[]>} */
  const preloads = {};
  for (const { entryPoint, imports } of Object.values(metafile.outputs)) {
    if (!entryPoint?.endsWith(".js")) continue;
    const parts = imports.filter(({ kind }) => kind === "import-statement");
    preloads[basename(entryPoint)] = parts.map(({ path }) => basename(path));
  }
  return preloads;
}

/** The licence of every package of which some code is in the bundles. @param {esbuild.Metafile[]} metafiles */
async function licences(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const found = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [...new Set(found.filter((name) => name !== undefined))].sort();
  const texts = packages.map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(join(folder, file), "utf8") : `Licence: ${license}\n`;
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(72)}\n\n`);
}

/** Images keep their name and get a hash. @param {string} into */
async function images(into) {
  /** @type {Record<string, string>} */
  const named = {};
  for (const path of await filesIn("images", ".svg")) {
    const hash = createHash("sha256").update(await readFile(path)).digest("hex").slice(0, 8).toUpperCase();
    named[basename(path)] = basename(path).replace(".", `-${hash}.`);
    await copyFile(path, join(into, named[basename(path)]));
  }
  return named;
}

/** Beside each text file its .gz and .br, so that nothing is compressed while somebody waits. @param {string} folder */
async function compress(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css|svg|txt|json)$/.test(name)) continue;
    const content = await readFile(join(folder, name));
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, options));
  }
}

const KEPT_MS = 60 * 60 * 1000;

/**
 * A server that runs on through a build, and a page that is open, still find what they name.
 * @param {string} from @param {string} into
 */
async function keepRecent(from, into) {
  const [old, fresh] = [await readdir(from).catch(() => []), new Set(await readdir(into))];
  for (const name of old) {
    const path = join(from, name);
    if (fresh.has(name) || Date.now() - (await stat(path)).mtimeMs > KEPT_MS) continue;
    await cp(path, join(into, name), { preserveTimestamps: true });
  }
}

async function build() {
  const dist = join(here, "dist");
  const fresh = join(here, `dist-${process.pid}`);
  const assets = join(fresh, "assets");
  await mkdir(assets, { recursive: true });
  try {
    const [pages, server] = [await bundlePages(assets), await bundleForServer(fresh)];
    const text = await licences([pages.metafile, server.metafile]);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
    await writeFile(join(assets, `licences-${hash}.txt`), text);
    const files = { ...manifestOf(pages.metafile), ...fontsOf(pages.metafile), ...(await images(assets)), "licences.txt": `licences-${hash}.txt` };
    const manifest = { files, preloads: preloadsOf(pages.metafile) };
    await writeFile(join(fresh, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await writeFile(join(fresh, "build.txt"), process.env.ALLCLOSE_BUILD_INPUTS ?? "");
    await compress(assets);
    await keepRecent(join(dist, "assets"), assets);
    await rm(dist, { recursive: true, force: true });
    await rename(fresh, dist);
    console.log(`${relative(process.cwd(), dist)}: ${Object.keys(files).length} entries`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

await build();
