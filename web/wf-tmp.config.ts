import base from "/work/main/web/vite.config.ts";
import { existsSync, readFileSync } from "node:fs";
const G="/work/main/web/src/__gallery.tsx", H="/work/main/web/gallery.html";
export default { ...base, build: { ...base.build, outDir: "/tmp/wf-dist", emptyOutDir: true, rollupOptions:{input:{index:"/work/main/web/index.html", gallery:H}} }, plugins: [
 { name: "stub", enforce: "pre", resolveId(id){ if(id===H) return H; if(id.endsWith("/src/__gallery.tsx")) return G; if(id.startsWith("#")){ const f="/work/main/web/src/"+id.slice(1); if(!existsSync(f)) return "\0stub:"+id; } },
   load(id){ if(id===H) return '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>g</title></head><body><div id="root"></div><script type="module" src="/src/__gallery.tsx"></script></body></html>'; if(id===G) return readFileSync("/tmp/wf/gallery.tsx","utf8"); if(id.startsWith("\0stub:")) return "export const CameraPreview=()=>null, ensureMedia=async()=>true, startCall=()=>{}, call={}, controller={}; export default 1"; } },
 ...base.plugins.filter(p=>!p.name?.includes("precompressed")) ] };
