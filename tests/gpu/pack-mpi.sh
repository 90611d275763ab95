#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Packs the Open MPI 4 of this machine, without what networks need, so that it runs from a folder of its own where there
# is none: a launcher, the libraries, the plugins for processes of one host, and env.sh.
#
#   tests/gpu/pack-mpi.sh FOLDER        there: . FOLDER/env.sh; on_ranks N PROGRAM ARGUMENTS...
#
# What env.sh sets is for the launcher and what it starts alone. FOLDER can be moved.

set -euo pipefail
shopt -s nullglob
folder=${1:?usage: pack-mpi.sh FOLDER}
fail () { printf 'pack-mpi.sh: %s\n' "$*" >&2; exit 1; }
launcher=$(type -P orterun) || fail "no orterun: Open MPI 4 is not installed"

path_of () { ompi_info --path "$1" --parsable | sed -n 's/^path:[^:]*://p'; }
plugins=$(path_of pkglibdir) data=$(path_of pkgdatadir) libraries=$(path_of libdir) prefix=$(path_of prefix)
[[ -d $plugins ]] || fail "Open MPI's plugins are not in $plugins"

# Where they lie below the prefix, they are looked for below the other one.
below () { printf '%s' "${1#"$prefix"/}"; }
mkdir -p "$folder"/{bin,etc/openmpi,lib,"$(below "$plugins")","$(below "$data")"}
cp -L "$launcher" "$folder/bin/orterun"
ln -sf orterun "$folder/bin/mpirun"
cp -L "$(type -P orted)" "$folder/bin/"

wanted='allocator bml_r2 btl_self btl_vader coll compress errmgr ess_env ess_hnp ess_pmi ess_singleton filem grpcomm
 iof mpool odls oob op osc_rdma osc_sm patcher plm_isolated plm_rsh pmix_ext3x pmix_isolated pml_ob1 pstat ras_simulator
 rcache reachable_weighted regx rmaps rml routed rtc schizo_ompi schizo_orte shmem state topo_basic'
for name in $wanted; do
  for file in "$plugins"/mca_"$name"*.so; do
    case $file in *monitoring*|*ucx*) continue;; esac
    cp -L "$file" "$folder/$(below "$plugins")/"
  done
done
cp -L "$data"/help-*.txt "$folder/$(below "$data")/"
mkdir -p "$folder/$(below "$data")/amca-param-sets"

# The closure of what all of these need, but for the C library's.
declare -A at
while read -r name file; do [[ -n ${at[$name]:-} ]] || at[$name]=$file
done < <(ldconfig -p | awk '/x86-64/ { print $1, $NF }')
skip='^(libc|libm|libdl|libpthread|librt|libresolv|libutil|libgcc_s|ld-linux-x86-64|libstdc\+\+)\.so'
needed () { readelf -d "$1" 2> /dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'; }
todo=$(for file in "$folder"/bin/* "$folder/$(below "$plugins")"/*; do needed "$file"; done
       echo libmpi.so.40)
while [[ -n ${todo//[[:space:]]/} ]]; do
  next=
  for name in $todo; do
    [[ $name =~ $skip || -e $folder/lib/$name ]] && continue
    file=${at[$name]:-}
    # Those that lie among the plugins' libraries are found by what is linked with them.
    [[ -n $file ]] || file=$libraries/$name
    [[ -e $file ]] || fail "missing library: $name"
    cp -L "$file" "$folder/lib/$name"
    next="$next $(needed "$file")"
  done
  todo=$next
done
pmix=$(dirname "$(realpath "${at[libpmix.so.2]}")")
mkdir -p "$folder/pmix"
for file in "$pmix"/pmix/*.so; do
  case $file in *slurm*) ;; *) cp -L "$file" "$folder/pmix/";; esac
done
find "$folder" -name '*.so*' -type f -exec strip --strip-unneeded {} + 2> /dev/null || true

cat > "$folder/env.sh" <<'Y'
# source me: on_ranks N PROGRAM ARGUMENTS... starts N processes of it with the Open MPI of this folder. RT_LIBS, where
# it is set, is where the program's own libraries are.
ES_RANKS_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ranks_env=(OPAL_PREFIX="$ES_RANKS_ROOT" PMIX_MCA_mca_base_component_path="$ES_RANKS_ROOT/pmix"
           PATH="$ES_RANKS_ROOT/bin:$PATH" LD_LIBRARY_PATH="${RT_LIBS:+$RT_LIBS:}$ES_RANKS_ROOT/lib"
           OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
           OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader
           OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm=isolated OMPI_MCA_plm_rsh_agent=/bin/false
           OMPI_MCA_orte_tmpdir_base=/tmp PMIX_MCA_gds=hash)
with_ranks () { env "${ranks_env[@]}" "$@"; }
on_ranks ()
{
  local n=$1
  shift
  with_ranks "$ES_RANKS_ROOT/bin/orterun" -q --oversubscribe --bind-to none -n "$n" "$@"
}
Y
du -sh "$folder" | sed 's/\t.*/ of Open MPI/'
