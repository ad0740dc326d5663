#!/usr/bin/env bash
# Assembles OpenSearch with k-NN and Painless from Maven's artifacts, 60 MB: tools/opensearch/fetch.sh FOLDER
# Needs Java 17, mvn and unzip (apt install openjdk-17-jre-headless maven unzip); takes half a minute, and prints what
# SYNOPTIC_TEST_OPENSEARCH has to name. The libraries of Faiss and NMSLIB are not among the artifacts: graphs are Lucene's.
set -euo pipefail
[ $# -eq 1 ] || { echo 'usage: tools/opensearch/fetch.sh FOLDER' >&2; exit 2; }
version=2.19.1
mkdir -p "$1"
folder=$(cd "$1" && pwd)
repository=$folder/maven
get() { mvn -q -B -Dmaven.repo.local="$repository" dependency:get -Dtransitive=false -Dartifact="$1" >&2; }
get org.opensearch.distribution.integ-test-zip:opensearch:$version:zip
get org.opensearch.plugin:opensearch-knn:$version.0:zip
jars=(org.opensearch.plugin:lang-painless:$version org.opensearch.plugin:opensearch-scripting-painless-spi:$version
  org.antlr:antlr4-runtime:4.13.1
  org.ow2.asm:asm:9.7 org.ow2.asm:asm-util:9.7 org.ow2.asm:asm-tree:9.7 org.ow2.asm:asm-commons:9.7 org.ow2.asm:asm-analysis:9.7)
for jar in "${jars[@]}"; do get "$jar"; done

home=$folder/opensearch-$version
rm -rf "$home"
unzip -q "$repository/org/opensearch/distribution/integ-test-zip/opensearch/$version/opensearch-$version.zip" -d "$folder"
painless=$home/modules/lang-painless
mkdir -p "$painless" "$home/plugins/opensearch-knn"
for jar in "${jars[@]}"; do
  IFS=: read -r group artifact number <<<"$jar"
  cp "$repository/${group//.//}/$artifact/$number/$artifact-$number.jar" "$painless/"
done
cat >"$painless/plugin-descriptor.properties" <<END
description=painless
version=$version
name=lang-painless
classname=org.opensearch.painless.PainlessPlugin
java.version=11
opensearch.version=$version
custom.foldername=
extended.plugins=
has.native.controller=false
END
cat >"$painless/plugin-security.policy" <<'END'
grant {
  permission java.lang.RuntimePermission "createClassLoader";
  permission java.lang.RuntimePermission "getClassLoader";
  permission org.opensearch.script.ClassPermission "<<STANDARD>>";
};
END
unzip -q "$repository/org/opensearch/plugin/opensearch-knn/$version.0/opensearch-knn-$version.0.zip" -d "$home/plugins/opensearch-knn"
echo "$home"
