# Run by CPack between installing and packing: makes of the installed files what Debian's policy asks for, and finds out
# which packages the program needs.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(usr ${root}/usr)

function(whorl_run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Neither a name nor a time gets into the file: the same text gives the same bytes.
function(whorl_compress)
  whorl_run(gzip -9n ${ARGV})
endfunction()

# --- what there is to read -------------------------------------------------------------------------------------------
file(GLOB pages ${usr}/share/man/man1/*.1)
whorl_compress(${pages})
set(doc ${usr}/share/doc/whorl)
file(COPY ${CPACK_WHORL_DEBIAN}/changelog DESTINATION ${doc})
whorl_compress(${doc}/changelog)
# The copyright file says the same.
file(REMOVE ${doc}/COPYING.note)
file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
file(COPY_FILE ${CPACK_WHORL_DEBIAN}/lintian-overrides ${usr}/share/lintian/overrides/whorl)

# Debian's zsh looks elsewhere.
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_whorl ${usr}/share/zsh/vendor-completions/_whorl)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)

# --- programs and libraries ------------------------------------------------------------------------------------------
set(no_notes --remove-section=.comment --remove-section=.note)
file(GLOB programs ${usr}/bin/whorl ${usr}/lib/whorl/whorl-*-linux)
file(GLOB libraries ${usr}/lib/whorl/vgpreload_whorl-*.so)
file(GLOB archives ${usr}/lib/whorl/*.a)
whorl_run(strip ${no_notes} ${programs})
whorl_run(strip --strip-unneeded ${no_notes} ${libraries})
whorl_run(strip --strip-debug ${no_notes} --enable-deterministic-archives ${archives})

# Links within /usr are relative.
file(GLOB links ${usr}/lib/whorl/vgpreload_core-*.so)
foreach(link IN LISTS links)
  file(READ_SYMLINK ${link} target)
  file(RELATIVE_PATH target /usr/lib/whorl ${target})
  file(CREATE_LINK ${target} ${link} SYMBOLIC)
endforeach()

# Who may do what with a file does not depend on who built it.
whorl_run(chmod -R u=rwX,go=rX ${root})
file(CHMOD ${libraries} ${archives} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# --- what it needs ---------------------------------------------------------------------------------------------------
# CPack's own search would also take what is loaded into recorded programs for a library of the system, and run ldconfig.
set(scratch ${root}.shlibdeps)
file(WRITE ${scratch}/debian/control "Source: whorl\n\nPackage: whorl\nArchitecture: any\n")
execute_process(COMMAND dpkg-shlibdeps -O ${usr}/bin/whorl WORKING_DIRECTORY ${scratch} OUTPUT_VARIABLE needed
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
file(REMOVE_RECURSE ${scratch})
string(REGEX REPLACE "^shlibs:Depends=" "" needed "${needed}")
string(PREPEND CPACK_DEBIAN_PACKAGE_DEPENDS "${needed}, ")
