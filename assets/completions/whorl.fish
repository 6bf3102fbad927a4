# Completion of whorl for fish: whorl itself is asked what a word can be.

function __whorl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    for line in (command $words[1] complete -- $words[2..] "$typed" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        set -l before "$parts[2]"
        switch $parts[1]
            case ':files'
                __fish_complete_path (string replace -- "$before" '' "$typed") | string replace -r '^' -- "$before"
            case ':folders'
                __fish_complete_directories (string replace -- "$before" '' "$typed") '' | string replace -r '^' -- "$before"
            case ':programs'
                __fish_complete_command
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c whorl -f -a '(__whorl_complete)'
