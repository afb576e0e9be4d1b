# SPDX-License-Identifier: GPL-2.0
# Tools, and modules for a kernel, of this repository. Parsed and evaluated with stand-ins, and never built by nix: see
# docs/install.md. On NixOS:
#
#   boot.extraModulePackages = [ (sharpramp.lib.modulesFor config.boot.kernelPackages.kernel) ];
#   environment.systemPackages = [ sharpramp.packages.x86_64-linux.tools ];
#   environment.variables.TC_LIB_DIR = "${sharpramp.packages.x86_64-linux.tools}/lib/tc";
{
  description = "Datacenter congestion control for stock Linux machines";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "0.1";
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: builtins.listToAttrs (map (system: { name = system; value = make nixpkgs.legacyPackages.${system}; }) systems);
      # Names for make: what is installed is below $out, and nothing in the system's folders.
      folders = [ "DEPS=have" "PREFIX=$(out)" "SYSCONFDIR=$(out)/etc" "UNITDIR=$(out)/lib/systemd/system" "UDEVDIR=$(out)/lib/udev/rules.d" "TC_LIB_DIR=$(out)/lib/tc/" ];
      tools = pkgs: pkgs.stdenv.mkDerivation {
        pname = "sharpramp-tools";
        inherit version;
        src = self;
        nativeBuildInputs = [ pkgs.pkg-config ];
        buildInputs = [ pkgs.iproute2 pkgs.libmnl pkgs.libseccomp pkgs.nettle ];
        makeFlags = folders;
        buildFlags = [ "tools" ];
        installTargets = [ "tools_install" ];
      };
      modules = kernel: kernel.stdenv.mkDerivation {
        pname = "sharpramp-modules";
        version = "${version}-${kernel.version}";
        src = self;
        nativeBuildInputs = kernel.moduleBuildDependencies;
        makeFlags = [ "DEPS=have" "DESTDIR=$(out)" "KDIR=${kernel.dev}/lib/modules/${kernel.modDirVersion}/build" "RELEASE=${kernel.modDirVersion}" ];
        buildFlags = [ "modules" ];
        installTargets = [ "modules_install" ];
      };
    in
    {
      packages = each (pkgs: { tools = tools pkgs; modules = modules pkgs.linuxPackages.kernel; default = tools pkgs; });
      lib.modulesFor = modules;
    };
}
