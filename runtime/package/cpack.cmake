# Read by cpack. Which of two libraries that have one symbol dpkg-shlibdeps takes for its source
# follows the order of Perl's hashes: the same one every time.
set(ENV{PERL_HASH_SEED} 0)
