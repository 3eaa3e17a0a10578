# Prints the kernel of an emitted file that makes the step, with the comment above it.
/^\/\// && !inside { comment = comment $0 "\n"; next }
/__global__/ && comment ~ /One step of/ && !inside { printf "%s", comment; inside = 1 }
inside { print }
inside && /^}/ { exit }
{ comment = "" }
