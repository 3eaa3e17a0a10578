autocmd BufRead,BufNewFile *.stn setfiletype stn
