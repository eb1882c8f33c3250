#!/usr/bin/env bash
# Fetches larger models from Debian packages, unpacks them without installing, and says how to open them.
# Usage: bash datasets/fetch_models.sh [FOLDER]     (default: ./models; needs apt-get and dpkg-deb, about 31 MB)
# Neither kdscope nor its tests need these files. Their licences are their packages': glmark2-data's copyright file is
# laid beside the models, that of libcgal-demo is in Debian's package libcgal-dev.
set -euo pipefail

folder=$(realpath -m "${1:-models}")
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() {  # package: downloads it and unpacks it into $work/package
  echo "fetching $1"
  if ! (cd "$work" && apt-get -q -q download "$1" 2>"$work/log"); then
    cat "$work/log" >&2
    echo "fetch_models: $1 could not be downloaded; run \"apt-get update\" first, and check the network" >&2
    exit 1
  fi
  dpkg-deb -x "$work/$1"_*.deb "$work/$1"
}

off_to_obj() {  # OFF has counts, then vertices, then faces counted from 0; OBJ counts from 1
  tr -d '\r' <"$1" | awk '
    { sub(/#.*/, "") }
    NF == 0 { next }
    !begun { begun = 1; sub(/^[A-Z]*OFF/, ""); if (NF == 0) next }
    !counted { vertices = $1; faces = $2; counted = 1; next }
    vertices > 0 { print "v", $1, $2, $3; vertices--; next }
    faces > 0 { line = "f"; for (i = 2; i <= $1 + 1; i++) line = line " " $i + 1; print line; faces-- }
    END { if (vertices + faces > 0) exit 1 }' >"$2"
}

fetch glmark2-data
cp "$work"/glmark2-data/usr/share/glmark2/models/bunny.obj "$folder/bunny-full.obj"
cp "$work"/glmark2-data/usr/share/doc/glmark2-data/copyright "$folder/bunny-full.copyright"

fetch libcgal-demo
tar -xzf "$work"/libcgal-demo/usr/share/doc/libcgal-dev/data.tar.gz -C "$work"
cp "$work"/data/points_3/{building.ply,ball.ply,radar.xyz} "$work"/data/meshes/pig.stl "$folder"
for model in armadillo refined_elephant ChineseDragon-10kv diplodocus; do
  off_to_obj "$work/data/meshes/$model.off" "$folder/$model.obj"
done

cat <<TEXT

The models are in $folder. Open one by its path, in the workbench or with the headless tool:
  kdscope-cli build --algorithm wald --data $folder/building.ply --verify

  bunny-full.obj            34,835 points  69,666 triangles   the Stanford bunny, Stanford Computer Graphics Laboratory
  building.ply             100,000 points                     a building
  ball.ply                  31,374 points                     a ball
  radar.xyz                 20,950 points                     radar measurements
  armadillo.obj             26,002 points  52,000 triangles   the Stanford armadillo, reduced
  refined_elephant.obj      44,460 points  88,928 triangles   an elephant
  ChineseDragon-10kv.obj    10,000 points  19,994 triangles   a dragon
  diplodocus.obj            23,982 points  47,960 triangles   a diplodocus
  pig.stl                    8,642 points  16,848 triangles   a pig
TEXT
