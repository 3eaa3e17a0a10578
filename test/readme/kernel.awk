# Prints the first kernel of an emitted file, with the comment above it.
/^\/\// && !inside { comment = comment $0 "\n"; next }
/__global__/ && !inside { printf "%s", comment; inside = 1 }
inside { print }
inside && /^}/ { exit }
{ comment = "" }
