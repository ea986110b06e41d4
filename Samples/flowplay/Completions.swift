import ArgumentParser

/// The completion scripts. `flowplay` has subcommands where it also has files, which the parser's generator cannot express. So the
/// script is generated for a command that has only subcommands, and `play` is inserted where none is named.
enum Completions {
    private struct AllCommands: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "flowplay-commands", subcommands: [Play.self, Probe.self, CheckLog.self])
    }

    private struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "play", version: Options.configuration.version)

        @OptionGroup var options: Options
    }

    /// The shell of `--generate-completion-script`, or the current one if none is named; `nil` if the arguments ask for no script, or
    /// for a shell that is not known.
    static func shell(in arguments: [String]) -> CompletionShell? {
        let words = arguments.joined(separator: "=").split(separator: "=", maxSplits: 1).map(String.init)
        guard words.first == "--generate-completion-script" else { return nil }
        return words.count == 1 ? .autodetected() : CompletionShell(rawValue: words[1])
    }

    static func script(for shell: CompletionShell) -> String {
        let script = AllCommands.completionScript(for: shell)
        return switch shell {
        case .bash: script + "\n" + bash
        // Only the first line of a file names its command.
        case .zsh: "#compdef flowplay\n" + script + "\n" + zsh
        default: script + "\n" + fish
        }
    }

    private static let bash = """
        _flowplay() {
            local -ir position="${COMP_CWORD}"
            local -a COMP_WORDS=("${COMP_WORDS[@]}")
            local -i COMP_CWORD="${COMP_CWORD}"
            if [[ "${position}" -eq 1 || ! "${COMP_WORDS[1]}" =~ ^(probe|check-log)$ ]]; then
                COMP_WORDS=("${COMP_WORDS[0]}" play "${COMP_WORDS[@]:1}")
                COMP_CWORD+=1
            fi
            _flowplay-commands "${@}"
            if [[ "${position}" -eq 1 ]]; then
                COMPREPLY+=($(compgen -W 'probe check-log' -- "${2}"))
            fi
        }
        complete -o filenames -F _flowplay flowplay
        """

    private static let zsh = """
        _flowplay() {
            local -i result=1
            if (( CURRENT == 2 )); then
                local -a subcommands=('probe:\(abstract(Probe.self))' 'check-log:\(abstract(CheckLog.self))')
                _describe -V subcommand subcommands && result=0
            fi
            if (( CURRENT == 2 )) || [[ "${words[2]}" != (probe|check-log) ]]; then
                words=("${words[1]}" play "${(@)words[2,-1]}")
                (( CURRENT++ ))
            fi
            _flowplay-commands && result=0
            return "${result}"
        }
        if [[ "${funcstack[1]}" = _flowplay ]]; then
            _flowplay "${@}"
        else
            compdef _flowplay flowplay
        fi
        """

    private static let fish = """
        function __flowplay_arguments
            set -l words (commandline -opc)
            set -e words[1]
            contains -- "$words[1]" probe check-log; or set -p words play
            complete -C (string join ' ' -- flowplay-commands (string escape -- $words) (commandline -ct))
        end
        complete -c flowplay -f -a '(__flowplay_arguments)'
        complete -c flowplay -n 'test (count (commandline -opc)) -eq 1' -a probe -d '\(abstract(Probe.self))'
        complete -c flowplay -n 'test (count (commandline -opc)) -eq 1' -a check-log -d '\(abstract(CheckLog.self))'
        """

    private static func abstract(_ command: any HostCommand.Type) -> String { command.configuration.abstract }
}
