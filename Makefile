# make, make install PREFIX=/usr/local DESTDIR=, make uninstall, make package: the player flowplay.
PREFIX ?= /usr/local
DESTDIR ?=
CONFIGURATION ?= release
TRAITS ?= GTK,VLC,Systemd

ifeq ($(CONFIGURATION),release)
static := --static-swift-stdlib
endif
options := --configuration $(CONFIGURATION) --traits $(TRAITS) $(static) $(FLOWPLAYER_BUILD_OPTIONS)
# With random hashes, SwiftPM orders arguments anew and compiles everything again. Scripts/test sets it too.
export SWIFT_DETERMINISTIC_HASHING = 1
bin = $(shell swift build $(options) --show-bin-path)
root := $(DESTDIR)$(PREFIX)
share := $(root)/share
files := \
    $(root)/bin/flowplay $(root)/bin/flowplayer-engine \
    $(share)/applications/flowplay.desktop \
    $(share)/bash-completion/completions/flowplay \
    $(share)/doc/flowplay/copyright $(share)/doc/flowplay/NOTICE \
    $(share)/fish/vendor_completions.d/flowplay.fish \
    $(share)/man/man1/flowplay.1.gz \
    $(share)/zsh/site-functions/_flowplay

.PHONY: all install uninstall package

all:
	swift build $(options) --product flowplay
	swift build $(options) --product flowplayer-engine

install: all
	install -D -m 755 -t $(root)/bin $(bin)/flowplay $(bin)/flowplayer-engine
	install -D -m 644 -t $(share)/applications Samples/flowplay/flowplay.desktop
	install -D -m 644 LICENSE $(share)/doc/flowplay/copyright
	install -D -m 644 -t $(share)/doc/flowplay NOTICE
	mkdir -p $(dir $(filter %/flowplay %.fish %.gz %/_flowplay,$(files)))
	$(bin)/flowplay --generate-completion-script bash >$(share)/bash-completion/completions/flowplay
	$(bin)/flowplay --generate-completion-script zsh >$(share)/zsh/site-functions/_flowplay
	$(bin)/flowplay --generate-completion-script fish >$(share)/fish/vendor_completions.d/flowplay.fish
	$(bin)/flowplay --experimental-dump-help | Scripts/man-page $$($(bin)/flowplay --version | cut -d ' ' -f 2) | gzip -9n >$(share)/man/man1/flowplay.1.gz

uninstall:
	rm -f $(files)
	-rmdir $(share)/doc/flowplay

package:
	Scripts/package
